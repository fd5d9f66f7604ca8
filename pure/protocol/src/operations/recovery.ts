import Type from 'typebox'
import { defineOperation } from '../operation.ts'
import { AuthVerifier, PasswordWrap, PublicKey } from '../wire/keys.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { Timestamp, Uuid } from '../wire/scalars.ts'
import { WrapperString } from '../wire/wrapper.ts'

/** The kinds of secrets that a recovery copy can hold. */
export const recoveryKinds = [
  'client_secret',
  'service_passphrase',
  'webhook_secret',
  'app_secret',
  'app_passphrase',
] as const
export type RecoveryKind = (typeof recoveryKinds)[number]

const RecoveryCopy = Type.Object(
  {
    id: Uuid,
    kind: Type.Enum([...recoveryKinds]),
    ref_id: Type.String({ description: 'The client, service, webhook or app that the secret belongs to.' }),
    created_at: Timestamp,
  },
  { title: 'RecoveryCopy' },
)

export const readRecoveryKey = defineOperation({
  id: 'recovery.read_key',
  method: 'GET',
  path: '/api/account/recovery-key',
  document: 'account',
  summary: 'The key that recovery copies are sealed to',
  callers: ['portal', 'account_client'],
  rate: 'data',
  success: { status: 200, about: 'The public half', body: Type.Object({ public_key: PublicKey }) },
  errors: [],
})

export const listRecoveryCopies = defineOperation({
  id: 'recovery.list_copies',
  method: 'GET',
  path: '/api/account/recovery-copies',
  document: 'account',
  summary: 'Which secrets can be recovered',
  description: 'The list omits the sealed secrets: `POST /api/account/recover` returns them, one at a time.',
  callers: ['portal', 'account_client'],
  rate: 'data',
  query: Type.Object({ ...pageQuery }),
  success: { status: 200, about: 'The copies, oldest first', body: pageOf(RecoveryCopy) },
  errors: [],
})

export const storeRecoveryCopy = defineOperation({
  id: 'recovery.store_copy',
  method: 'POST',
  path: '/api/account/recovery-copies',
  document: 'account',
  summary: 'Store a secret for recovery',
  description: 'Sealed to the recovery key by the sender. A newer copy of the same secret replaces the older.',
  callers: ['portal', 'account_client'],
  rate: 'data',
  creates: true,
  body: Type.Object({
    kind: Type.Enum([...recoveryKinds]),
    ref_id: Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' }),
    sealed: WrapperString,
  }),
  success: { status: 201, about: 'The copy', body: RecoveryCopy },
  errors: ['contact_data.encryption_required'],
})

export const requestRecoveryCode = defineOperation({
  id: 'recovery.request_code',
  method: 'POST',
  path: '/api/account/recover/code',
  document: 'account',
  summary: 'Request a mailed code that opens a recovery copy',
  description: 'Six digits, valid for ten minutes and five attempts. A newer code ends the older.',
  callers: ['portal'],
  rate: 'login',
  body: Type.Object({}),
  allowsEmptyBody: true,
  success: { status: 202, about: 'A mail is on its way', body: Type.Object({ status: Type.Literal('mail_sent') }) },
  errors: [],
})

export const openRecoveryCopy = defineOperation({
  id: 'recovery.open_copy',
  method: 'POST',
  path: '/api/account/recover',
  document: 'account',
  summary: 'Return a sealed secret with the key that opens it',
  description: 'Requires the password and the mailed code. The browser opens both: the server cannot.',
  callers: ['portal'],
  rate: 'login',
  body: Type.Object({
    copy_id: Type.String({ maxLength: 64 }),
    auth_verifier: AuthVerifier,
    code: Type.String({ pattern: '^[0-9]{6}$', description: 'The six digits of the mail.' }),
  }),
  success: {
    status: 200,
    about: 'The sealed secret, and the private recovery key wrapped by a key derived from the password',
    body: Type.Object({ sealed: WrapperString, encrypted_recovery_key: PasswordWrap }),
  },
  errors: ['session.invalid', 'account.recovery_copy_not_found'],
})
