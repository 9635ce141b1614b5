/* A message in three pieces, summed where it lies, as it arrives, and while it is copied into two others. */
#include <onesum/onesum.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    const struct onesum_buffer message[] = {{"over ", 5}, {"", 0}, {"the lazy ", 9}, {"dog", 3}};
    const uint16_t whole = onesum_checksum("over the lazy dog", 17);

    /* In one call; then only "lazy dog", which begins at byte 9. */
    const uint16_t listed = onesum_fold(onesum_partial_iov(message, 4, 0, 17, 0));
    const uint16_t ranged = onesum_fold(onesum_partial_iov(message, 4, 9, 8, 0));

    /* As the pieces come. */
    struct onesum_state state;
    onesum_init(&state, 0);
    for (int i = 0; i < 4; i++) onesum_update(&state, message[i].data, message[i].size);
    const uint16_t streamed = onesum_fold(onesum_final(&state));

    /* Copied into two pieces that are cut elsewhere, behind 2 bytes that are there already. */
    char head[8] = "> ", tail[11];
    const struct onesum_writable target[] = {{head, sizeof head}, {tail, sizeof tail}};
    const uint16_t copied = onesum_fold(onesum_copy_iov(target, 2, 2, message, 4, 0, 17, 0));
    printf("copied: %.8s%.11s\n", head, tail);

    const int right = listed == whole && streamed == whole && copied == whole &&
                      ranged == onesum_checksum("lazy dog", 8) && memcmp(head, "> over t", 8) == 0 &&
                      memcmp(tail, "he lazy dog", 11) == 0;
    puts(right ? "right" : "wrong");
    return !right;
}
