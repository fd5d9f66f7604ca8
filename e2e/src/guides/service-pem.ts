import { createCryptoPlatform, exportPrivateKeyPem, type PassphraseWrap, unwrapByPassphrase } from '@sealpost/crypto'
import { Secret } from '@sealpost/kernel'

/** The key file of a service, as its owner downloads it. */
export async function servicePem({
  encryptedPrivateKey,
  passphrase,
}: {
  readonly encryptedPrivateKey: PassphraseWrap
  readonly passphrase: string
}): Promise<string> {
  const platform = createCryptoPlatform(globalThis)
  const key = await unwrapByPassphrase(platform, encryptedPrivateKey, new Secret(passphrase))
  const pem = key.ok ? await exportPrivateKeyPem(platform, key.value, new Secret(passphrase)) : key
  if (!pem.ok) throw new Error(`no key file: ${pem.refusal}`)
  return pem.value
}
