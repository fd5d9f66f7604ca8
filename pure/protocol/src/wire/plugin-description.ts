import { PLUGIN_LIMITS } from '@sealpost/kernel'
import Type, { type Static } from 'typebox'
import Value from 'typebox/value'
import { EXAMPLE_TEXTS } from './scalars.ts'

/** `slug.<block>.id` names a pick, so no key is `id`. */
const key = Type.String({ pattern: '^(?!id$)[a-z][a-z0-9_]{0,39}$' })
const label = Type.String({ minLength: 1, maxLength: PLUGIN_LIMITS.labelCharacters })
const valueType = Type.Enum(['number', 'date', 'boolean', 'text'])
const most = { maxItems: PLUGIN_LIMITS.members } as const

export const PluginBlock = Type.Object({
  key,
  kind: Type.Enum(['search_select', 'text', 'number', 'date']),
  label,
  depends_on: Type.Optional(Type.Array(key, most)),
})

export const PluginInput = Type.Object({ key, type: valueType, label, required: Type.Boolean() })
export const PluginOutput = Type.Object({ key, type: valueType, label })

export const PluginFieldType = Type.Object(
  {
    key,
    label,
    blocks: Type.Array(PluginBlock, most),
    inputs: Type.Array(PluginInput, most),
    outputs: Type.Array(PluginOutput, most),
  },
  { title: 'PluginFieldType' },
)
export type PluginFieldType = Static<typeof PluginFieldType>

export const KeyRolloverRow = Type.Object(
  {
    previous_sha256: Type.String({
      pattern: '^[0-9a-f]{64}$',
      examples: [EXAMPLE_TEXTS.sha256],
      description: "Hex of the SHA-256 of the former key's SubjectPublicKeyInfo.",
    }),
    public_key: Type.String({ minLength: 1, maxLength: 1200, description: 'The key that followed it: base64 SPKI.' }),
    signature: Type.String({
      minLength: 1,
      maxLength: 1200,
      description:
        'RSASSA-PSS with SHA-256 and a salt of 32 bytes, by the former key, over `sealpost-plugin-key:` and the hex SHA-256 of both keys.',
    }),
  },
  { title: 'KeyRollover' },
)

export const keyRollovers = Type.Array(KeyRolloverRow, {
  maxItems: PLUGIN_LIMITS.keyRollovers,
  description: 'How former keys of the plugin vouch for its present one, oldest first.',
})

/** What a plugin says of itself, without members that are not known. */
export const PluginDescription = Type.Object({
  name: Type.String({ minLength: 1, maxLength: PLUGIN_LIMITS.nameCharacters }),
  public_key: Type.String({
    minLength: 1,
    maxLength: 1200,
    description: 'Base64 of the SubjectPublicKeyInfo of an RSA key.',
  }),
  /** Absent where the previous release has read the manifest. */
  key_rollovers: Type.Optional(keyRollovers),
  field_types: Type.Array(PluginFieldType, { maxItems: PLUGIN_LIMITS.fieldTypes }),
})
export type PluginDescription = Static<typeof PluginDescription>

export function isPluginDescription(value: unknown): value is PluginDescription {
  return Value.Check(PluginDescription, value)
}
