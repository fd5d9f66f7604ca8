import Type from 'typebox'
import { ChosenPluginRow } from './plugin.ts'
import { nullableChoice, nullableText } from './scalars.ts'

export const Lane = nullableChoice(['inline', 'photo', 'document'])
export const Options = Type.Union([Type.Array(Type.String()), Type.Null()], { description: 'The allowed choices.' })

/** A member of a composite, or of the metadata beside a file. */
export const FieldTypeEntry = Type.Object(
  {
    key: Type.String(),
    input: nullableText(),
    required: Type.Boolean(),
    check: nullableText(),
    validation: nullableText(),
    options: Options,
  },
  { title: 'FieldTypeEntry' },
)

export const FieldTypeEntries = Type.Union([Type.Array(FieldTypeEntry), Type.Null()], {
  description: 'The members of a composite, or the metadata beside a file.',
})

/** A type with everything that it inherits. */
export const ResolvedType = Type.Object(
  {
    type: Type.String({ examples: ['email'] }),
    parent: nullableText({ examples: ['text'] }),
    label: Type.String({ examples: ['email'] }),
    is_system: Type.Boolean(),
    known: Type.Boolean({ description: 'False for a type that the registry does not have: it accepts anything.' }),
    input: nullableText({ description: 'The primitive that renders and shapes the value.', examples: ['line'] }),
    lane: Lane,
    check: nullableText(),
    options: Options,
    fields: FieldTypeEntries,
    validations: Type.Array(Type.String(), {
      description: 'Regexes without anchors; the whole value must match each of them.',
    }),
  },
  { title: 'ResolvedType' },
)

export const PluginRow = Type.Unsafe<Readonly<Record<string, unknown>> | null>({
  type: ['object', 'null'],
  properties: ChosenPluginRow.properties,
  required: ['plugin_name', 'field_type', 'snapshot'],
  additionalProperties: true,
  description: 'Of a row that a plugin answers; null otherwise.',
  examples: [null],
})
