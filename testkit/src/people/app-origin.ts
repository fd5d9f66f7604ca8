/** What tests call the web apps by. */
export const APP_ORIGIN = 'http://app.sealpost.test'
/** The least that clients agree to: tests derive many passwords. */
export const TEST_KDF = { memoryKib: 32_768, passes: 2 }
