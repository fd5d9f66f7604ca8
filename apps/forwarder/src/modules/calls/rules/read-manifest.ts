import { type CryptoPlatform, isPublicKey } from '@sealpost/crypto'
import { accept, decline, type Result } from '@sealpost/kernel'
import {
  isPluginDescription,
  type PluginDescription,
  type PluginFieldType,
  type RefreshError,
} from '@sealpost/protocol'
import { readObject } from './read-object.ts'

/** The description in a manifest, without members that we do not know. */
export function readManifest(
  platform: Pick<CryptoPlatform, 'base64'>,
  body: Uint8Array,
): Result<PluginDescription, Extract<RefreshError, 'malformed' | 'key_invalid'>> {
  const manifest: unknown = readObject(body)
  if (!isPluginDescription(manifest) || !areConsistent(manifest.field_types)) return decline('malformed')
  if (!isPublicKey(platform, manifest.public_key)) return decline('key_invalid')
  const { name, public_key, field_types } = manifest
  return accept({ name, public_key, field_types: field_types.map(knownMembers) })
}

function knownMembers({ key, label, blocks, inputs, outputs }: PluginFieldType): PluginFieldType {
  return {
    key,
    label,
    blocks: blocks.map(({ depends_on, ...block }) => ({
      key: block.key,
      kind: block.kind,
      label: block.label,
      ...(depends_on === undefined ? {} : { depends_on }),
    })),
    inputs: inputs.map((input) => ({
      key: input.key,
      type: input.type,
      label: input.label,
      required: input.required,
    })),
    outputs: outputs.map((output) => ({ key: output.key, type: output.type, label: output.label })),
  }
}

function areConsistent(fieldTypes: readonly PluginFieldType[]): boolean {
  return areDistinct(fieldTypes) && fieldTypes.every(isConsistent)
}

/** Blocks and outputs are parts of one answer, so they share their keys. A block depends on earlier ones only. */
function isConsistent({ blocks, inputs, outputs }: PluginFieldType): boolean {
  const known = new Set<string>()
  for (const { key, depends_on = [] } of blocks) {
    if (!depends_on.every((needed) => known.has(needed))) return false
    known.add(key)
  }
  return areDistinct([...blocks, ...outputs]) && areDistinct(inputs)
}

function areDistinct(named: readonly { readonly key: string }[]): boolean {
  return new Set(named.map(({ key }) => key)).size === named.length
}
