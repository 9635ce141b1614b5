//! Finds libonesum, or compiles its amalgamation. SPDX-License-Identifier: MIT
//!
//! ONESUM_LIB_DIR: the folder of libonesum; otherwise pkg-config says where it is. With the feature `vendored`
//! onesum.c comes from the folder ONESUM_AMALGAMATION, from vendor/ in this crate, or in a checkout of onesum from
//! its script.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn run(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)))
    }
}

fn amalgamation(out: &Path) -> Result<PathBuf, String> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap());
    if let Some(folder) = env::var_os("ONESUM_AMALGAMATION") {
        return Ok(folder.into());
    }
    if here.join("vendor/onesum.c").exists() {
        return Ok(here.join("vendor"));
    }
    let script = here.join("../../scripts/amalgamate.py");
    if !script.exists() {
        return Err("name the folder of onesum.c and onesum.h in ONESUM_AMALGAMATION".into());
    }
    for folder in ["src", "include"] {
        println!("cargo:rerun-if-changed={}", here.join("../..").join(folder).display());
    }
    run(Command::new("python3").arg(script).arg(out))?;
    Ok(out.into())
}

fn vendored() -> Result<(), String> {
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap());
    let folder = amalgamation(&out)?;
    println!("cargo:rerun-if-changed={}", folder.join("onesum.c").display());
    let object = out.join("onesum.o");
    let compiler = env::var("CC").unwrap_or_else(|_| "cc".into());
    let mut words = compiler.split_whitespace();
    let mut compile = Command::new(words.next().unwrap_or("cc"));
    compile.args(words).args(["-O2", "-fPIC", "-c"]).arg(folder.join("onesum.c")).arg("-o").arg(&object);
    run(&mut compile)?;
    let archive = out.join("libonesum.a");
    let archiver = env::var_os("AR").unwrap_or_else(|| "ar".into());
    run(Command::new(archiver).arg("crs").arg(archive).arg(object))?;
    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-lib=static=onesum");
    Ok(())
}

fn installed() {
    if let Some(folder) = env::var_os("ONESUM_LIB_DIR") {
        println!("cargo:rustc-link-search=native={}", Path::new(&folder).display());
        println!("cargo:rustc-link-lib=onesum");
        return;
    }
    let flags = run(Command::new("pkg-config").args(["--libs", "onesum"])).unwrap_or_else(|problem| {
        println!("cargo:warning=pkg-config does not know onesum: {}", problem.replace('\n', " "));
        "-lonesum".into()
    });
    for flag in flags.split_whitespace() {
        if let Some(folder) = flag.strip_prefix("-L") {
            println!("cargo:rustc-link-search=native={folder}");
        } else if let Some(name) = flag.strip_prefix("-l") {
            println!("cargo:rustc-link-lib={name}");
        }
    }
}

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    for variable in ["ONESUM_LIB_DIR", "ONESUM_AMALGAMATION", "PKG_CONFIG_PATH", "CC", "AR"] {
        println!("cargo:rerun-if-env-changed={variable}");
    }
    if env::var_os("CARGO_FEATURE_VENDORED").is_none() {
        installed();
    } else if let Err(problem) = vendored() {
        eprintln!("onesum: the amalgamation cannot be compiled: {problem}");
        std::process::exit(1);
    }
}
