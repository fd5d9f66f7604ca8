import Type, { type Static } from 'typebox'
import { keyRollovers, PluginFieldType } from './plugin-description.ts'
import { NullableTimestamp, nullableText, Timestamp, Uuid } from './scalars.ts'

/** The built-in plugins of the platform, which the forwarder itself answers. */
export const builtinPlugins = [{ key: 'iso_lists', name: 'ISO lists' }] as const

export const pluginUseKinds = ['flow', 'request_field', 'claim'] as const
export type PluginUseKind = (typeof pluginUseKinds)[number]

const { label, blocks, inputs, outputs } = PluginFieldType.properties

type ReadonlyItems<List extends readonly unknown[]> = readonly (Omit<List[number], 'depends_on'> & {
  readonly depends_on?: readonly string[]
})[]

/** Its lists are read-only, as definitions have them. */
interface SnapshotData {
  readonly plugin_name: string
  readonly host: string
  readonly label: string
  readonly blocks: ReadonlyItems<PluginFieldType['blocks']>
  readonly inputs: readonly PluginFieldType['inputs'][number][]
  readonly outputs: readonly PluginFieldType['outputs'][number][]
}

export const PluginSnapshotRow = Type.Unsafe<SnapshotData>(
  Type.Object(
    { plugin_name: Type.String(), host: Type.String(), label, blocks, inputs, outputs },
    { title: 'PluginSnapshot', description: 'The description of the plugin when it was chosen.' },
  ),
)

/** The plugin that answers a request row or a claim, with its description when it was chosen. */
export const ChosenPluginRow = Type.Object(
  {
    plugin_id: Type.String(),
    plugin_name: Type.String(),
    field_type: Type.String(),
    snapshot: PluginSnapshotRow,
  },
  { title: 'ChosenPlugin' },
)
export type ChosenPluginRow = Static<typeof ChosenPluginRow>

/** How a row or a claim names its plugin. */
export const PluginGiven = Type.Object(
  {
    plugin_id: Type.Optional(Type.String({ format: 'uuid' })),
    plugin_name: Type.Optional(Type.String({ description: 'Instead of the id, where one plugin has the name.' })),
    field_type: Type.String({ description: 'A field type of the plugin that requires no input.' }),
  },
  { title: 'PluginGiven' },
)

export const PluginUseRow = Type.Object(
  {
    kind: Type.Enum([...pluginUseKinds]),
    id: Type.String({ description: 'Of the flow or the request row; of a claim the `client_id` of its app.' }),
    name: Type.String(),
  },
  { title: 'PluginUse' },
)

export const PluginRecord = Type.Object(
  {
    id: Uuid,
    name: Type.String({ description: 'From the description; the host until one was fetched.' }),
    base_url: nullableText({ description: 'Null for a built-in plugin.', examples: ['https://plugin.example.com'] }),
    builtin_key: nullableText({
      description: 'The key of a built-in plugin; null otherwise.',
      examples: ['iso_lists'],
    }),
    token: nullableText({
      description: 'Four bullets and the last 4 characters; for a short one the bullets only. Null without a token.',
    }),
    field_types: Type.Array(PluginFieldType, { description: 'Empty until the description was fetched.' }),
    key_rollovers: keyRollovers,
    last_refresh: NullableTimestamp,
    last_error: nullableText({ description: 'Why the last refresh failed; null after one that succeeded.' }),
    in_use: Type.Array(PluginUseRow),
    created_at: Timestamp,
  },
  { title: 'Plugin' },
)

/** A pass for the forwarder, and the address to send it to. */
export const passMembers = {
  pass: Type.String({ description: 'A JWT of 10 minutes that the forwarder accepts.' }),
  forwarder_url: Type.String({ examples: ['https://forwarder.example.com'] }),
} as const

/** A plugin to which questions may be sealed. */
export const PassPlugin = Type.Object(
  {
    id: Type.String(),
    public_key: nullableText({ description: 'Base64 SPKI; null: the plugin does not respond.' }),
    // Absent where a region of the previous release answers.
    key_rollovers: Type.Optional(keyRollovers),
  },
  { title: 'PassPlugin' },
)
export type PassPlugin = Static<typeof PassPlugin>

const PluginSpec = Type.Object(
  {
    plugin_id: Type.String(),
    field_type: Type.String(),
    snapshot: Type.Optional(PluginSnapshotRow),
    inputs: Type.Record(Type.String(), Type.String(), { description: 'Keys of inputs to keys of the flow.' }),
  },
  { title: 'PluginSpec' },
)

/** What answers the plugin elements of a step. */
export const TurnPass = Type.Object(
  {
    ...passMembers,
    plugins: Type.Array(PassPlugin),
    specs: Type.Record(Type.String(), PluginSpec, { description: 'By the slug of the element.' }),
  },
  { title: 'TurnPass' },
)
export type TurnPass = Static<typeof TurnPass>
