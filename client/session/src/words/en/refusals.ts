import type { ErrorTexts } from '@sealpost/ui'
import { SHOULD_NOT } from '@sealpost/web-app/words/en'

const UNSAFE_PASSWORD = 'The server wants your password to be used in an unsafe way, so nothing was sent.'
const NOT_YOUR_KEY = 'The server answered with something else than your key, so nothing was opened.'

/** By the key of a refusal of the worker. */
export const refusals: ErrorTexts = {
  device_not_listed: {
    what: 'The server’s list leaves out this device, although it is set up.',
    next: 'Lock the app and sign in with your password. If this stays, tell us.',
  },
  device_not_set_up: {
    what: 'This device cannot confirm yet that it is you.',
    next: 'Set up a fingerprint, your face or a passcode first.',
  },
  kdf_invalid: { what: UNSAFE_PASSWORD, next: SHOULD_NOT },
  no_passkey: { what: 'This site offers no passkeys.', next: 'Use a passcode instead.' },
  no_registration: { what: 'This registration has been interrupted.', next: 'Begin again; nothing was stored.' },
  no_unlock: { what: 'This device has not been set up to unlock.', next: 'Sign in with your password.' },
  not_a_recovery_code: {
    what: 'This is not a whole recovery code.',
    next: 'It has 14 groups of 4 letters. Compare it letter by letter with the one that you kept.',
  },
  not_a_key_wrap: { what: NOT_YOUR_KEY, next: SHOULD_NOT },
  passcode_forgotten: {
    what: 'That were five wrong passcodes, so this device has forgotten your key.',
    next: 'Sign in with your password. Nothing is lost.',
  },
  passcode_short: { what: 'The passcode is too short.', next: 'Take at least six digits or letters.' },
  passcode_wrong: {
    what: 'That is not your passcode.',
    next: 'Try again. After five wrong ones your password is needed.',
  },
  passkey_refused: { what: 'The device did not confirm.', next: 'Try again, or use a passcode.' },
  passkey_cannot_unlock: {
    what: 'This device can confirm that it is you, but it cannot keep your key.',
    next: 'Use a passcode instead.',
  },
  password_needed: { what: 'Your password is needed once more.', next: 'Type it, then try again.' },
  session_ended: { what: 'This device was signed out.', next: 'Sign in with your password.' },
  storage_refused: {
    what: 'This browser does not let Sealpost keep anything.',
    next: 'Leave the private window, or allow storage for this site.',
  },
  strange_challenge: {
    what: 'The server asks this device to sign something that it should not, so nothing was signed.',
    next: SHOULD_NOT,
  },
  too_costly: { what: UNSAFE_PASSWORD, next: SHOULD_NOT },
  too_weak: { what: UNSAFE_PASSWORD, next: SHOULD_NOT },
  wrong_purpose: { what: NOT_YOUR_KEY, next: SHOULD_NOT },
  wrong_key: { what: 'That did not open your data.', next: 'Try again, or sign in with your password.' },
}
