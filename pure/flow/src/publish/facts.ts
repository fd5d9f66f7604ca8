import type { Registry } from '@sealpost/field-types'
import type { PluginBlock, PluginInput, PluginOutput } from '../definition/definition.ts'

/** The data that publishing needs beside the definition. */
export interface PublishFacts {
  readonly types: Registry
  /** The service's own request fields, by slug. */
  readonly requestFields: ReadonlyMap<string, RequestFieldFact>
  /** The plugins that this company may use, by id. */
  readonly plugins: ReadonlyMap<string, PluginFact>
  /** The PDF templates uploaded for this flow: per asset key the names of the tags in it. */
  readonly templates: ReadonlyMap<string, readonly string[]>
}

export interface RequestFieldFact {
  readonly type: string
  readonly audience: 'person' | 'company' | 'both'
}

export interface PluginFact {
  readonly name: string
  readonly host: string
  /** Null when the plugin's description could never be fetched. */
  readonly fieldTypes: ReadonlyMap<string, PluginFieldType> | null
}

export interface PluginFieldType {
  readonly label: string
  readonly blocks: readonly PluginBlock[]
  readonly inputs: readonly PluginInput[]
  readonly outputs: readonly PluginOutput[]
}
