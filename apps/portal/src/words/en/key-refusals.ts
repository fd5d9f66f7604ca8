import type { ErrorTexts } from '@sealpost/ui'
import { SHOULD_NOT } from '@sealpost/web-app/words/en'

const NOTHING_SEALED = 'Do not give this service to customers. Tell us: it should never happen.'

/** About the keys of services. */
export const refusals: ErrorTexts = {
  passphrase_wrong: {
    what: 'This passphrase does not open the key of this service.',
    next: 'Compare it letter by letter with the one that you stored; capital and small letters differ. Nothing is lost by trying.',
  },
  service_key_weak: {
    what: 'The key of this service is protected in another way than agreed, so your passphrase was not used.',
    next: SHOULD_NOT,
  },
  service_key_damaged: { what: 'What the server answers is not the key of this service.', next: SHOULD_NOT },
  not_a_key_file: {
    what: 'This file is not a key file of Sealpost.',
    next: 'Choose the file whose name ends with .pem, as it was downloaded from the service.',
  },
  new_key_exchanged: {
    what: 'The server has stored another key than the one that was made in this browser.',
    next: NOTHING_SEALED,
  },
  new_key_gone: {
    what: 'The portal was locked in between, so the new key is gone. No service was made.',
    next: 'Begin again. Throw the passphrase away that you stored: it opens nothing.',
  },
  recovery_copy_other: {
    what: 'The recovery copy does not open with the recovery key of this account, so nothing of it is shown.',
    next: SHOULD_NOT,
  },
  key_changed: {
    what: 'The server names another key than the one that this browser knows, so nothing was sealed to it.',
    next: SHOULD_NOT,
  },
}
