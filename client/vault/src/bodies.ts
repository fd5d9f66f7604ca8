import type { KdfParameters, PasswordWrap, WrapPurpose } from '@sealpost/crypto'
import { type AccountKeys, openPrivateKey, wrapPrivateKey } from './keys.ts'
import type { Login } from './login.ts'

export type Registration = {
  readonly email: string
  readonly displayName: string
  /** A language tag such as `en` or `de-CH`. */
  readonly language: string
  readonly region: string
  readonly kdf: KdfParameters
  /** Derived from the password under `kdf`. */
  readonly login: Login
  readonly keys: AccountKeys
} & (
  | { readonly userType: 'person' }
  /** Recovery copies of the company's secrets are sealed to this key pair. */
  | { readonly userType: 'company'; readonly recoveryKeys: AccountKeys }
)

/** The body of `POST /api/account/register`. */
export interface RegistrationBody {
  readonly user_type: 'person' | 'company'
  readonly email: string
  readonly display_name: string
  readonly language: string
  readonly region: string
  readonly auth_verifier: string
  readonly kdf: KdfParameters
  readonly public_key: string
  readonly encrypted_private_key: PasswordWrap
  readonly recovery_public_key?: string
  readonly encrypted_recovery_key?: PasswordWrap
}

export function registrationBody(registration: Registration): RegistrationBody {
  const { login, keys } = registration
  return {
    user_type: registration.userType,
    email: registration.email,
    display_name: registration.displayName,
    language: registration.language,
    region: registration.region,
    auth_verifier: login.authVerifier.reveal(),
    kdf: registration.kdf,
    public_key: keys.publicKey,
    encrypted_private_key: keys.encryptedPrivateKey,
    ...(registration.userType === 'company' ? recoveryMembers(registration.recoveryKeys) : {}),
  }
}

function recoveryMembers(keys: AccountKeys): Pick<RegistrationBody, 'recovery_public_key' | 'encrypted_recovery_key'> {
  return { recovery_public_key: keys.publicKey, encrypted_recovery_key: keys.encryptedPrivateKey }
}

export interface PasswordChange {
  readonly current: Login
  /** Derived from the new password under `kdf`. */
  readonly next: Login
  readonly kdf: KdfParameters
  /** Both as the server stores them now; only companies have the second. */
  readonly encryptedPrivateKey: PasswordWrap
  readonly encryptedRecoveryKey?: PasswordWrap
}

/** The body of `PUT /api/account/password`. */
export interface PasswordChangeBody {
  readonly current_auth_verifier: string
  readonly auth_verifier: string
  readonly kdf: KdfParameters
  readonly encrypted_private_key: PasswordWrap
  readonly encrypted_recovery_key?: PasswordWrap
}

/** Wraps the same keys again, so values that were sealed to them still open. */
export async function passwordChangeBody(change: PasswordChange): Promise<PasswordChangeBody> {
  const { current, next, encryptedRecoveryKey } = change
  const rewrap = async (wrapped: PasswordWrap, purpose: WrapPurpose): Promise<PasswordWrap> =>
    wrapPrivateKey(await openPrivateKey(wrapped, current.wrapKey, purpose), next.wrapKey, purpose)
  const encryptedPrivateKey = await rewrap(change.encryptedPrivateKey, 'account')
  const recovery =
    encryptedRecoveryKey === undefined ? {} : { encrypted_recovery_key: await rewrap(encryptedRecoveryKey, 'recovery') }
  return {
    current_auth_verifier: current.authVerifier.reveal(),
    auth_verifier: next.authVerifier.reveal(),
    kdf: change.kdf,
    encrypted_private_key: encryptedPrivateKey,
    ...recovery,
  }
}
