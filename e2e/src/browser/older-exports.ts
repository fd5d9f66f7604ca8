import { buildRegistry, seedRows } from '@sealpost/field-types'
import { checkForPublish, importFlow } from '@sealpost/flow'
import type { VectorCase } from '@sealpost/testkit/vector-case'

interface OlderExport {
  readonly name: string
  readonly nodes: readonly {
    readonly key: string
    readonly pdfs: readonly { readonly asset_key: string; readonly tags: readonly string[] }[]
  }[]
}

/** A flow exported in the older format is read completely and may be published. */
export function olderExportCases(file: unknown): readonly VectorCase[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a file of another shape fails its case
  const written = file as OlderExport
  return [{ name: written.name, run: () => checkImported(written) }]
}

function checkImported(written: OlderExport): void {
  const result = importFlow(written)
  if (!result.ok) throw new Error(`not read: ${JSON.stringify(result.refusal)}`)
  const { definition } = result.value
  const [before, after] = [written, definition].map(({ nodes }) => nodes.map(({ key }) => key).join(', '))
  if (before !== after) throw new Error(`expected the steps ${before}, got ${after}`)
  const issues = checkForPublish(definition, {
    types: buildRegistry(seedRows),
    requestFields: new Map(),
    plugins: new Map(),
    templates: new Map(written.nodes.flatMap(({ pdfs }) => pdfs.map(({ asset_key, tags }) => [asset_key, tags]))),
  })
  if (issues.length > 0) throw new Error(`not publishable: ${JSON.stringify(issues)}`)
}
