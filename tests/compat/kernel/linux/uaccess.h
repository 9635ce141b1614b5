/* SPDX-License-Identifier: MIT */
#include "../kernel.h"
