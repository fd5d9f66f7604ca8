/** Semver of the API. Changes within a major version are additive; the version header carries the major. */
export const API_VERSION = '1.0.0'
