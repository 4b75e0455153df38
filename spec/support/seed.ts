/**
 * Loaded before a spec file that has properties: the cases they try are the same at every run, so that a run that fails
 * fails for what was changed. Other cases are tried with `npm run properties`, which says its seed.
 */
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env['SPEC_SEED']) });
