import Type, { type Static } from 'typebox'
import { anyJson } from './document.ts'
import { Sha256, Timestamp, Uuid } from './scalars.ts'

const EXAMPLE_DEFINITION = {
  entry: 'start',
  output_mode: 'data_only',
  parties: [
    { key: 'us', label: 'Us', type: 'owner' },
    { key: 'customer', label: 'Customer', type: 'person' },
  ],
  nodes: [
    {
      key: 'start',
      party: 'customer',
      title: 'About you',
      elements: [{ kind: 'field', slug: 'full_name', field_type: 'text', label: 'Your name', required: true }],
    },
  ],
  edges: [],
  constants: [],
}

/** The graph of a flow. Conditions, expressions and elements are data: `pure/flow` holds their rules. */
export const FlowDefinition = Type.Object(
  {
    entry: Type.String({ description: 'The key of the step at which a run begins.' }),
    output_mode: Type.Enum(['data_only', 'document']),
    parties: Type.Array(
      Type.Object({
        key: Type.String(),
        label: Type.String(),
        type: Type.Optional(Type.Enum(['owner', 'person', 'company'])),
      }),
    ),
    nodes: Type.Array(
      Type.Object({
        key: Type.String(),
        party: Type.String({ description: 'The party that fills the step.' }),
        title: Type.String(),
        elements: Type.Array(
          anyJson({ description: 'An element: `kind` field, text, image or plugin, and its members.' }),
        ),
        language_party: Type.Optional(Type.String()),
        outputs: Type.Optional(Type.Array(anyJson({ description: '`{output_key, name, cancellable, rules}`.' }))),
      }),
    ),
    edges: Type.Array(
      Type.Object({ from: Type.String(), to: Type.String(), sort: Type.Number(), condition: anyJson() }),
    ),
    constants: Type.Array(
      Type.Object({
        key: Type.String(),
        label: Type.String(),
        result_type: Type.String(),
        expr: anyJson(),
        shown_on: Type.Array(Type.String()),
      }),
    ),
  },
  { title: 'FlowDefinition', examples: [EXAMPLE_DEFINITION] },
)
export type FlowDefinition = Static<typeof FlowDefinition>

const summaryMembers = {
  id: Uuid,
  name: Type.String(),
  published_version: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'The number of the latest version; null until the first one is published.',
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
} as const

export const FlowSummary = Type.Object(summaryMembers, { title: 'FlowSummary' })
export type FlowSummary = Static<typeof FlowSummary>

export const FlowDraft = Type.Object(
  {
    ...summaryMembers,
    definition: FlowDefinition,
    draft_token: Type.String({
      description: 'Identifies the shown draft; send it back with a change or with the publication.',
    }),
  },
  { title: 'FlowDraft' },
)
export type FlowDraft = Static<typeof FlowDraft>

export const FlowVersionSummary = Type.Object(
  { version: Type.Integer({ minimum: 1 }), name: Type.String(), published_at: Timestamp, published_by: Uuid },
  { title: 'FlowVersionSummary' },
)

export const PublishedFlow = Type.Object(
  {
    version: Type.Integer({ minimum: 1 }),
    definition: FlowDefinition,
    request_field_types: Type.Record(Type.String(), Type.String(), {
      description: 'The type of each request field of the service, by slug.',
      examples: [{ home: 'address' }],
    }),
  },
  { title: 'PublishedFlow' },
)
export type PublishedFlow = Static<typeof PublishedFlow>

export const FlowAsset = Type.Object(
  {
    asset_key: Type.String({ description: 'Names the file in the definition.' }),
    kind: Type.Enum(['pdf', 'image']),
    mime_type: Type.String(),
    original_name: Type.String(),
    size: Type.Integer({ minimum: 0, description: 'Bytes.' }),
    content_sha256: Sha256,
    created_at: Timestamp,
  },
  { title: 'FlowAsset' },
)

const page = Type.Integer({ minimum: 1 })

export const TemplateTags = Type.Object(
  {
    asset_key: Type.String(),
    pages: Type.Integer({ minimum: 1 }),
    tags: Type.Array(
      Type.Object({
        key: Type.String({ examples: ['full_name'] }),
        known: Type.Boolean({ description: 'Whether the draft has such a field, plugin value or constant.' }),
        source: Type.Enum(['text', 'field'], { description: 'In the text, or a form field with the name of a key.' }),
        page,
        left: Type.Number({ description: 'Points from the upper left corner of the page, as the others.' }),
        top: Type.Number(),
        width: Type.Number(),
        height: Type.Number(),
        font_size: Type.Number({ description: 'Points; 0 for a form field whose viewer chooses it.' }),
      }),
    ),
    unknown: Type.Array(Type.String(), { description: 'The keys that the draft does not have, each once.' }),
    leftovers: Type.Array(
      Type.Object({
        reason: Type.Enum(['split', 'syntax', 'invisible'], {
          description: 'Its other braces are not beside it, it holds no key, or it is not drawn.',
        }),
        text: Type.String(),
        page,
      }),
    ),
    unreadable: Type.Array(
      Type.Object({
        reason: Type.Enum(['font', 'content', 'picture'], {
          description: 'The font names no characters, the page cannot be read, or it is a picture without text.',
        }),
        page,
        font: Type.Optional(Type.String()),
      }),
    ),
    truncated: Type.Boolean({ description: 'More was found than is listed.' }),
  },
  { title: 'TemplateTags' },
)
