import { type CryptoPlatform, isPublicKey } from '@sealpost/crypto'
import { accept, decline, type Result } from '@sealpost/kernel'
import { parseManifest } from '@sealpost/plugin'
import { isPluginDescription, type PluginDescription, type RefreshError } from '@sealpost/protocol'

/** The description in a manifest, without members that we do not know. */
export function readManifest(
  platform: Pick<CryptoPlatform, 'base64'>,
  body: unknown,
): Result<PluginDescription, Extract<RefreshError, 'malformed' | 'key_invalid'>> {
  // The key is judged apart, since a company is told of it apart.
  const manifest = parseManifest(body, () => true)
  if (!manifest.ok || !isPluginDescription(manifest.value)) return decline('malformed')
  return isPublicKey(platform, manifest.value.public_key) ? accept(manifest.value) : decline('key_invalid')
}
