/** Printed by `--version`; a test compares it with the version of the package. */
export const CLI_VERSION = '0.1.0'
