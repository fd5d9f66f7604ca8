import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServiceClient } from '@sealpost/sdk'
import { ROOT } from '../app-process.ts'

const INFORMATION = 'Before your first visit'
const CONTRACT = 'Treatment agreement'

/** A paper to read and a contract that waits for a signature. */
export async function seedDocuments(client: ServiceClient, connectionId: string): Promise<void> {
  const sent = new Set<string>()
  for await (const { name } of client.documents.list()) sent.add(name)
  const target = { connection_id: connectionId }
  if (!sent.has(INFORMATION)) {
    const sections = [{ heading: 'What to bring', text: 'Your insurance card and a list of your medicines.' }]
    await client.documents.send({
      target,
      name: INFORMATION,
      kind: 'document',
      value: { title: INFORMATION, sections },
    })
  }
  if (!sent.has(CONTRACT)) {
    const bytes = readFileSync(join(ROOT, 'docs/guides/files/employment.pdf'))
    const file = { bytes, originalName: 'agreement.pdf' }
    await client.documents.send({ target, name: CONTRACT, kind: 'agreement', requires_signature: true, file })
  }
}
