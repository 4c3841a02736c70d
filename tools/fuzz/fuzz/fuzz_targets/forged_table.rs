#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| dragnet_fuzz::forged_table(bytes));
