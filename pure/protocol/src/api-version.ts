/** Semver of the API. Within a major number changes are additive; the major is what the version header says. */
export const API_VERSION = '1.0.0'
