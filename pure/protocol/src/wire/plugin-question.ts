import Type, { type Static } from 'typebox'
import Value from 'typebox/value'

const text = Type.String({ maxLength: 1000 })

/** A question to a plugin, as it is inside its wrapper. Members that only some plugins read are not checked. */
export const PluginQuestion = Type.Object({
  field_type: text,
  op: Type.Enum(['options', 'outputs']),
  /** Of `options`. */
  block: Type.Optional(text),
  query: Type.Optional(text),
  /** The ids of picked options by block. */
  picks: Type.Record(Type.String(), text),
  /** Base64 of the SubjectPublicKeyInfo to which the reply is sealed. */
  reply_key: text,
})
export type PluginQuestion = Static<typeof PluginQuestion>

export function isPluginQuestion(value: unknown): value is PluginQuestion {
  return Value.Check(PluginQuestion, value)
}
