/** Named in `User-Agent`; a test holds it equal to the version of the package. */
export const SDK_VERSION = '0.1.0'
