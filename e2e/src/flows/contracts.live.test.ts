import { join } from 'node:path'
import { askOthers, openFolder, runTool } from '@sealpost/pdf/testing'
import { isSealpostError, verifySealedPdf } from '@sealpost/sdk'
import { bundledPrograms, northwind, scaled, startInstallation, testSeal } from '@sealpost/testkit'
import { afterAll, expect, test } from 'vitest'
import { all, openCompany } from '../sharing/parties.ts'
import { COMPUTED, HIRED, LINE } from './employment.ts'
import { openHiring, type OutputKey } from './hiring.ts'

const SOON = { timeout: scaled(30_000) }
const PARTIES = ['employer', 'employee', 'agency'] as const
const OUTPUTS = ['contract', 'annex'] as const satisfies readonly OutputKey[]
const SEALPOST = join(await bundledPrograms(), 'command/sealpost.js')

const installation = await startInstallation({ settings: { STRICT_CONTRACT: '1', RATE_LOGIN_IP: '600' } })
afterAll(() => installation.stop())
const { service } = await openCompany(installation, northwind)
await service.requestFields.update(() => [
  { slug: 'name', label: 'Name', type: 'text' },
  { slug: 'payslip', label: 'Payslip', type: 'pdf_document' },
])
const hiring = await openHiring(installation, northwind)
const { root } = testSeal()

/** What a reader of the page sees, as another program reads it. */
async function textOf(pdf: Uint8Array): Promise<string> {
  const { output } = await runTool('pdftotext', '-layout', openFolder().write('one.pdf', pdf), '-')
  return output
}

async function verified(pdf: Uint8Array): Promise<string> {
  const folder = openFolder()
  const files = [folder.write('sealed.pdf', pdf), '--trust', folder.write('root.pem', Buffer.from(root))]
  const { code, output } = await runTool(process.execPath, SEALPOST, 'verify', ...files)
  expect(code).toBe(0)
  return output
}

const statusesOf = async (runId: string) =>
  Object.fromEntries(
    (await service.flows.get(runId)).participants.flatMap(({ party_key: party, documents }) =>
      documents.map(({ output_key: output, document_status: status }) => [`${party} ${output}`, status]),
    ),
  )

const TEXTS = {
  de: {
    contract: [
      `Arbeitsvertrag mit ${HIRED.name}`,
      `${COMPUTED.title}, ${COMPUTED.monthly} EUR im Monat`,
      HIRED.reference,
    ],
    annex: [`Versicherung ${HIRED.reference} für ${HIRED.name}`, 'Unbekannt: []'],
  },
  en: {
    contract: [`Contract with ${HIRED.name}`, `${COMPUTED.title}, ${COMPUTED.monthly} EUR a month`, HIRED.reference],
    annex: [`Payslip of ${HIRED.name}`, 'Not known: []'],
  },
} as const

test.each(['de', 'en'] as const)('hired in %s: five acts across two regions, and two sealed PDFs', async (language) => {
  const { id, status, participants } = await hiring.hire(language)
  expect(status).toBe('awaiting_signature')
  expect(participants.map(({ party_key }) => party_key)).toEqual(['employee', 'employer', 'agency'])
  const steps = () => service.flows.get(id).then((run) => service.flows.signingSteps(run))
  expect((await steps()).map(({ party, outputKey, act }) => [party, outputKey, act])).toEqual(LINE)
  for (const place of LINE.keys()) {
    expect((await steps()).map(({ state }) => state)).toEqual(
      LINE.map((_, at) => (at < place ? 'done' : at === place ? 'open' : 'waiting')),
    )
    await hiring.act(id, place)
  }
  for (const party of PARTIES) await hiring.seen(party, id, 'completed')
  for (const output of OUTPUTS) {
    const sealed = await hiring.open('employer', id, output)
    for (const party of ['employee', 'agency'] as const) {
      const theirs = async () => Buffer.from(await hiring.open(party, id, output)).equals(sealed)
      await expect.poll(theirs, SOON).toBe(true)
    }
    const text = await textOf(sealed)
    for (const wanted of TEXTS[language][output]) expect(text.replaceAll(/\[ *\]/g, '[]')).toContain(wanted)
    expect(text).not.toContain('{{')
    expect(await askOthers(sealed, root)).toEqual({
      isClean: true,
      isSignatureValid: true,
      isAllSigned: true,
      isCades: true,
    })
    const verdict = await verifySealedPdf(sealed, { certificates: root })
    expect(verdict).toMatchObject({
      isValid: true,
      seal: { acts: LINE.filter(([, of]) => of === output).map(() => ({})) },
    })
    expect(await verified(sealed)).toMatch(/^valid\n/)
  }
})

test('declined at step three: what was signed stays, everything else ends, and nothing is sealed', async () => {
  const { id } = await hiring.hire('en')
  await hiring.act(id, 0)
  await hiring.act(id, 1)
  await all(service.changes.drain())
  await hiring.agency.flows.waitForStep({ id, connection_id: await agencyConnection(id) }, { pollSeconds: 0.1 })
  const { document } = await hiring.opened('agency', id, 'contract')
  expect(await hiring.agency.documents.decline(document, 'No longer needed')).toMatchObject({ status: 'ended' })
  for (const party of PARTIES)
    expect(await hiring.seen(party, id, 'cancelled')).toMatchObject({
      cancelled_by: 'agency',
      cancel_reason: 'No longer needed',
    })
  expect(await statusesOf(id)).toEqual(AFTER_TWO)
  const theirs = async () => (await hiring.opened('employee', id, 'annex')).document.status
  await expect.poll(theirs, SOON).toBe('ended')
  const events = (await all(service.changes.drain())).map((change) => change.event)
  expect(events.filter((event) => event !== 'document_status_changed')).toEqual(['flow_cancelled'])
  const accepting = await hiring.employee.app.documents
    .accept(await hiring.opened('employee', id, 'annex'))
    .catch((error: unknown) => error)
  expect(isSealpostError(accepting, 'documents.status_invalid')).toBe(true)
  for (const output of OUTPUTS) {
    const pdf = await hiring.open('employer', id, output)
    expect(await verifySealedPdf(pdf, { certificates: root })).toMatchObject({ isValid: false, seal: null })
  }
})

const AFTER_TWO = {
  'employee contract': 'active',
  'employer annex': 'active',
  'agency annex': 'active',
  'agency contract': 'ended',
  'employee annex': 'ended',
  'employer contract': 'ended',
}

/** The own connection of the agency, as its own reads name it. */
async function agencyConnection(runId: string): Promise<string> {
  const { participants } = await service.flows.get(runId)
  return participants.find(({ party_key: party }) => party === 'agency')?.connection_id ?? ''
}

test('cancelled by the company while a copy waits: it ends in the other region', async () => {
  const { id } = await hiring.hire('de')
  await hiring.act(id, 0)
  await hiring.act(id, 1)
  const { document } = await hiring.opened('employee', id, 'annex')
  expect(document.status).toBe('waiting')
  await service.flows.cancel(id, 'A mistake')
  for (const party of PARTIES)
    expect(await hiring.seen(party, id, 'cancelled')).toMatchObject({ cancelled_by: 'employer' })
  expect(await statusesOf(id)).toEqual(AFTER_TWO)
  for (const [party, output] of [
    ['employee', 'annex'],
    ['agency', 'contract'],
  ] as const) {
    const theirs = async () => (await hiring.opened(party, id, output)).document.status
    await expect.poll(theirs, SOON).toBe('ended')
  }
  expect((await hiring.opened('employee', id, 'contract')).document.status).toBe('active')
})
