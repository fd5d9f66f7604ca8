import {
  createAccountKeys,
  createServiceKey,
  deriveLogin,
  newKdf,
  openPrivateKey,
  passwordChangeBody,
  registrationBody,
} from '@sealpost/vault'

export interface Registered {
  readonly body: ReturnType<typeof registrationBody>
  readonly change: Awaited<ReturnType<typeof passwordChangeBody>>
  readonly privateKey: string
  readonly servicePassphraseLength: number
}

/** Creates keys and wraps them under a second password, as an app does. Returns the private key, which only a test may see. */
async function register({ password, next }: { password: string; next: string }): Promise<Registered> {
  const kdf = newKdf({ memoryKib: 32_768, passes: 2 })
  const login = await deriveLogin(password, kdf)
  const [keys, recoveryKeys] = [
    await createAccountKeys(login.wrapKey),
    await createAccountKeys(login.wrapKey, 'recovery'),
  ]
  const about = { email: 'ana@example.com', displayName: 'Ana', language: 'en', region: 'eu' }
  const body = registrationBody({ ...about, userType: 'company', kdf, login, keys, recoveryKeys })
  const nextLogin = await deriveLogin(next, kdf)
  const { encryptedPrivateKey } = keys
  const change = await passwordChangeBody({ current: login, next: nextLogin, kdf, encryptedPrivateKey })
  const opened = await openPrivateKey(change.encrypted_private_key, nextLogin.wrapKey)
  const { passphrase } = await createServiceKey()
  const privateKey = btoa(String.fromCharCode(...opened.reveal()))
  return { body, change, privateKey, servicePassphraseLength: passphrase.reveal().length }
}

/** The verifier of a password under given parameters, or the error of the vault. */
async function verify({ password, kdf }: { password: string; kdf: unknown }): Promise<string> {
  return deriveLogin(password, kdf).then(
    ({ authVerifier }) => authVerifier.reveal(),
    (error: unknown) => String(error),
  )
}

Object.assign(globalThis, { register, verify })
