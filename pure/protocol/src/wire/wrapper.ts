import Type, { type Static } from 'typebox'
import { EXAMPLE_TEXTS, nullableText } from './scalars.ts'

const BASE64 = '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$'

/** A value sealed to one reader: an AES-256-GCM ciphertext and its key under the reader's RSA key. */
export const Wrapper = Type.Object(
  {
    _enc: Type.Literal(1),
    k: Type.String({ pattern: BASE64, description: 'The AES key under RSA-OAEP with SHA-256; 256 bytes.' }),
    iv: Type.String({ pattern: BASE64, description: '12 bytes.' }),
    d: Type.String({ pattern: BASE64, description: 'The ciphertext with its 16-byte tag appended.' }),
  },
  { title: 'Wrapper', additionalProperties: false, description: 'A value sealed to the key of its reader.' },
)
export type Wrapper = Static<typeof Wrapper>

/** A wrapper inside another JSON value is sent as its JSON text. */
export const WrapperString = Type.String({
  title: 'WrapperString',
  contentMediaType: 'application/json',
  description: 'The JSON text of a Wrapper.',
  examples: [EXAMPLE_TEXTS.wrapper],
})

export const NullableWrapperString = nullableText({
  title: 'NullableWrapperString',
  contentMediaType: 'application/json',
  description: 'The JSON text of a Wrapper, or null.',
  examples: [EXAMPLE_TEXTS.wrapper],
})

/** What a caller may send where a wrapper is expected. */
export const WrapperGiven = Type.Union([WrapperString, Wrapper], { description: 'A Wrapper, or its JSON text.' })

/** The JSON form of a file. */
export const FileText = Type.Object(
  {
    encrypted: Type.Boolean(),
    value: Type.String({
      description: 'The JSON text of a Wrapper where `encrypted`, else that of the envelope itself.',
    }),
  },
  { title: 'FileText' },
)
