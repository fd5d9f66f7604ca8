/** Sent in `User-Agent`; a test compares it with the version of the package. */
export const SDK_VERSION = '0.1.0'
