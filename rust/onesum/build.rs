//! Finds libonesum, or compiles its amalgamation. SPDX-License-Identifier: MIT
//!
//! ONESUM_LIB_DIR: the folder of libonesum; otherwise pkg-config says where it is. With the feature `vendored`
//! onesum.c and onesum_packet.cc come from the folder ONESUM_AMALGAMATION, from vendor/ in this crate, or in a
//! checkout of onesum from its script.

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
        return Err("name the folder of onesum.c and its headers in ONESUM_AMALGAMATION".into());
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
    let mut objects = Vec::new();
    for (variable, default, options, source) in
        [("CC", "cc", &["-std=c11"], "onesum.c"), ("CXX", "c++", &["-std=c++17"], "onesum_packet.cc")]
    {
        println!("cargo:rerun-if-changed={}", folder.join(source).display());
        let compiler = env::var(variable).unwrap_or_else(|_| default.into());
        let mut words = compiler.split_whitespace();
        let mut compile = Command::new(words.next().unwrap_or(default));
        let object = out.join(source).with_extension("o");
        compile
            .args(words)
            .args(options)
            .args(["-O2", "-fPIC", "-c"])
            .arg(folder.join(source))
            .arg("-o")
            .arg(&object);
        run(&mut compile)?;
        objects.push(object);
    }
    let archive = out.join("libonesum.a");
    let archiver = env::var_os("AR").unwrap_or_else(|| "ar".into());
    run(Command::new(archiver).arg("crs").arg(archive).args(objects))?;
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
    for variable in ["ONESUM_LIB_DIR", "ONESUM_AMALGAMATION", "PKG_CONFIG_PATH", "CC", "CXX", "AR"] {
        println!("cargo:rerun-if-env-changed={variable}");
    }
    if env::var_os("CARGO_FEATURE_VENDORED").is_none() {
        installed();
    } else if let Err(problem) = vendored() {
        eprintln!("onesum: the amalgamation cannot be compiled: {problem}");
        std::process::exit(1);
    }
}
