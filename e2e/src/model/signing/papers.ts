import { templatePdf, textAt } from '@sealpost/pdf-format/testing'
import { bodyOf, dataUri, flowAuthor, type Service } from '@sealpost/testkit'
import { TEMPLATE } from '../flows/random-outputs.ts'
import { fieldsOf, type WrittenFlow } from '../flows/written.ts'

const MOST_TAGS = 12

/** A page with a line for each of the first fields, and one whose tag nothing answers. */
export function paperOf(flow: WrittenFlow): Uint8Array {
  const lines = [...tagsOf(flow), 'nothing'].map((slug) => `${slug}=[{{${slug}}}]`)
  return templatePdf({ contents: [lines.map((line, at) => textAt(40, 780 - 40 * at, `(${line}) Tj`)).join('\n')] })
}

/** The fields that the paper has tags for. */
export function tagsOf(flow: WrittenFlow): readonly string[] {
  return flow.nodes
    .flatMap(fieldsOf)
    .map(({ slug }) => slug)
    .slice(0, MOST_TAGS)
}

export function envelopeOf(pdf: Uint8Array): string {
  return JSON.stringify({
    file: dataUri('application/pdf', pdf),
    original_name: 'paper.pdf',
    mime_type: 'application/pdf',
    size: pdf.length,
  })
}

/** Uploads the template of the flow, puts its key into the rules, and publishes. */
export async function publishWithTemplate(
  service: Service,
  draft: WrittenFlow,
): Promise<{ readonly flowId: string; readonly flow: WrittenFlow }> {
  const author = flowAuthor(service)
  const created = await author.create()
  const file = dataUri('application/pdf', paperOf(draft))
  const upload = author.call('POST', `/${created.flowId}/assets`, { file, original_name: 'template.pdf' })
  const key = String((await bodyOf(upload, 201))['asset_key'])
  const flow = withKey(draft, key)
  await author.publish(await author.save(created, flow))
  return { flowId: created.flowId, flow }
}

function withKey(flow: WrittenFlow, key: string): WrittenFlow {
  const nodes = flow.nodes.map((node) => {
    if (node.outputs === undefined) return node
    const outputs = node.outputs.map((output) => ({
      ...output,
      rules: output.rules.map((rule) => (rule.asset_key === TEMPLATE ? { ...rule, asset_key: key } : rule)),
    }))
    return { ...node, outputs }
  })
  return { ...flow, nodes }
}
