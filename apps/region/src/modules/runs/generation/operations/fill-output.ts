import type { ChosenOutput, RuleSource } from '@sealpost/flow'
import { accept, decline, type Result } from '@sealpost/kernel'
import { PDF_REFUSALS, type PdfRefusal } from '@sealpost/pdf-format'
import { findAsset } from '../../../flows/index.ts'
import type { NotGenerated } from '../../rules/not-generated.ts'
import type { ServiceSideContext } from '../../service-side/context.ts'
import type { StoredRun } from '../../service-side/model.ts'
import type { Filling } from '../model.ts'
import { readEnvelope } from '../rules/hand-over.ts'

const MEGABYTE = 1_048_576

/** The PDF of an output with the values of the run in it. */
export async function fillOutput(
  context: ServiceSideContext,
  filling: Filling,
  output: ChosenOutput,
): Promise<Result<Uint8Array, NotGenerated>> {
  const { output_key: outputKey, source } = output
  const file =
    source.kind === 'template'
      ? await readTemplate(context, filling.run, source.asset_key)
      : await openPdf(filling.openInput, source)
  if (file === null) return unusable(source, outputKey, 'is missing or is no PDF')
  const filled = await fill(context, filling, output, file)
  if (!filled.ok) return filled
  if (filled.value.length > context.settings.DOCUMENT_MAX_MB * MEGABYTE)
    return unusable(source, outputKey, `exceeds ${context.settings.DOCUMENT_MAX_MB} MB when it is filled`)
  return filled
}

/** Hands over the texts of the file's own tags and no others. */
async function fill(
  { reader }: ServiceSideContext,
  filling: Filling,
  { output_key: outputKey, source }: ChosenOutput,
  file: Uint8Array,
): Promise<Result<Uint8Array, NotGenerated>> {
  const { companyId } = filling.run
  let texts = source.kind === 'template' ? filling.texts.get(source.asset_key) : undefined
  if (source.kind !== 'template') {
    const scan = await reader.scanTemplate(companyId, file)
    if (!scan.ok) return refused(source, outputKey, scan.refusal)
    if (scan.value.keys.length === 0) return accept(file)
    const evaluated = await filling.textsFor(source.source_key, scan.value.keys)
    if (!evaluated.ok) return evaluated
    texts = evaluated.value
  }
  if (texts === null) return decline(TOO_LONG)
  const filled = await reader.fillTemplate(companyId, file, texts ?? new Map())
  return filled.ok ? accept(filled.value.bytes) : refused(source, outputKey, filled.refusal)
}

const TOO_LONG: NotGenerated = {
  refusal: 'flows.generation_failed',
  sentence: 'The values for the tags of a document are too long',
}

function refused(source: RuleSource, outputKey: string, refusal: PdfRefusal | 'busy'): Result<never, NotGenerated> {
  if (refusal === 'busy') return decline({ refusal: 'platform.busy', sentence: null })
  return unusable(source, outputKey, `cannot be filled: ${reasonOf(refusal)}`)
}

/** Null when the version names a picture, or a file that the store has lost. */
async function readTemplate(context: ServiceSideContext, run: StoredRun, assetKey: string): Promise<Uint8Array | null> {
  const asset = await context.database.read((read) => findAsset(read, run, assetKey))
  if (asset?.kind !== 'pdf') return null
  const found = await context.objects.get(asset.objectKey, { sha256: asset.sha256, maxBytes: asset.bytes })
  if (found.ok) return found.value
  context.log.error({ assetKey, reason: found.refusal }, 'a template of a flow cannot be read')
  return null
}

async function openPdf(
  openInput: Filling['openInput'],
  source: Exclude<RuleSource, { kind: 'template' }>,
): Promise<Uint8Array | null> {
  const envelope = await openInput(source.source_key)
  return envelope === null ? null : readEnvelope(envelope)
}

/** The fault of a participant's PDF has a key of its own: the author of the flow cannot mend it. */
function unusable({ kind }: RuleSource, outputKey: string, problem: string): Result<never, NotGenerated> {
  return kind === 'template'
    ? decline({ refusal: 'flows.generation_failed', sentence: `The template of ${outputKey} ${problem}` })
    : decline({ refusal: 'flows.source_pdf_invalid', sentence: `The participant's PDF of ${outputKey} ${problem}` })
}

function reasonOf(refusal: PdfRefusal): string {
  return PDF_REFUSALS[refusal].replace(/\.$/, '')
}
