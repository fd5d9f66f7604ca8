import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { templatePdf, textAt } from '@sealpost/pdf-format/testing'
import { askOthers, differenceOf, openFolder, pictureOf, runTool, storedPicture } from '@sealpost/pdf/testing'
import { APP_ORIGIN, bodyOf, flowAuthor, openWorld, ROOT, scaled, testSeal } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { servicePem } from './service-pem.ts'
import { openGuide } from './snippets.ts'
import { personVariables, serviceVariables } from './variables.ts'

const SOON = { timeout: scaled(60_000) }
const FILE = 'docs/guides/contract-flow.md'
const TEXT = readFileSync(join(ROOT, FILE), 'utf8')
const PICTURES = join(ROOT, 'docs/guides/pictures')
const TEMPLATE = readFileSync(join(ROOT, 'docs/guides/files/employment.pdf'))
const DIPLOMA = templatePdf({ contents: [textAt(72, 720, '(Diploma of {{full_name}}) Tj', 18)] })
/** Lines of a program; comments and empty lines count. */
const MOST_LINES = 40

const world = await openWorld()
const guide = await openGuide(FILE, world)
const service = await world.service([])
const { company } = service
const mara = await world.person({ region: 'us', displayName: 'Mara Müller' })
const connectionId = await mara.connected(service)
const author = flowAuthor(service)
const draft = await author.create()
const upload = { file: `data:application/pdf;base64,${TEMPLATE.toString('base64')}`, original_name: 'employment.pdf' }
const { asset_key: template } = await bodyOf(author.call('POST', `/${draft.flowId}/assets`, upload), 201)
const [, definition = ''] = /^```json definition\n(.+?)^```$/ms.exec(TEXT) ?? []
const pinned = definition.replace('{{contract_template}}', String(template))
await author.publish(await author.save(draft, JSON.parse(pinned) as object))
const ran = new Set<string>()
const inFolder = (name: string): string => join(guide.folder, name)
const write = (name: string, bytes: Uint8Array | string): void => writeFileSync(inFolder(name), bytes)
write('service.pem', await servicePem(service))
write('private.der', mara.keys.privateKey.reveal())
write('platform-ca.pem', testSeal().root)
write('my-diploma.pdf', DIPLOMA)
write('password', company.password)

/** Of the run that the backend starts. */
let runId = ''

function variables(more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return {
    ...serviceVariables(world, service),
    EMAIL: company.email,
    PORTAL: APP_ORIGIN,
    ...personVariables(mara),
    CONNECTION_ID: connectionId,
    FLOW_ID: draft.flowId,
    RUN_ID: runId,
    ...more,
  }
}

function run(name: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  ran.add(name)
  return guide.run(name, variables(more))
}

const path = () => `/api/company-connections/${connectionId}/flow-runs/${runId}`
const sees = (status: string) =>
  expect.poll(async () => (await mara.calls('GET', path())).body['status'], SOON).toBe(status)

test('a backend takes a run from its start to sealed PDFs, in a program of less than 40 lines', async () => {
  const [, program = ''] = /^```js backend\n(.+?)^```$/ms.exec(TEXT) ?? []
  expect(program.trim().split('\n').length).toBeLessThan(MOST_LINES)
  ran.add('backend')
  const backend = guide.start('backend', variables())
  await expect.poll(() => backend.printed(), SOON).toMatch(/^[0-9a-f-]{36}\n/)
  runId = backend.printed().slice(0, 36)
  await sees('awaiting_employee')
  expect(await run('answer')).toBe('awaiting_us')
  await expect.poll(() => backend.printed(), SOON).toContain('4 copies')
  await sees('awaiting_signature')
  expect((await run('read')).split('\n')).toEqual([
    '1 employee sign Employment contract open',
    '2 us accept Diploma waiting',
    '3 us sign Employment contract waiting',
  ])
  const code = await world.mail.waitForCode(mara.email)
  expect(await run('sign', { CODE: code })).toBe('active not sealed yet')

  const [diploma, contract, title, ...line] = (await run('company')).split('\n')
  expect([diploma, contract].map((text) => text?.replace(/ \d.+$/, ''))).toEqual(['active  sealed', 'active  sealed'])
  expect(title).toBe(`${runId}  completed`)
  const [, , printed = ''] = /^```sh company\n(.+?)^```\n\n```text\n(.+?)^```$/ms.exec(TEXT) ?? []
  const withoutTimes = (lines: readonly string[]) => lines.map((text) => text.replace(/ {2}\d{4}-.+$/, '').trimEnd())
  expect(withoutTimes(line)).toEqual(withoutTimes(printed.trimEnd().split('\n').slice(3)))
  await expect.poll(() => backend.printed(), SOON).toMatch(/\ncompleted\ncontract sealed\ndiploma sealed\n$/)
  await backend.stop()
})

test('the PDFs are sealed, show the values, and the page is the one of the guide', async () => {
  for (const name of ['contract.pdf', 'diploma.pdf']) {
    const verdict = await askOthers(readFileSync(inFolder(name)), testSeal().root)
    expect(verdict).toEqual({ isClean: true, isSignatureValid: true, isAllSigned: true, isCades: true })
  }
  expect(await run('verify')).toMatch(/^valid\n/)
  const { output } = await runTool('pdftotext', '-layout', inFolder('contract.pdf'), '-')
  for (const value of ['Mara Müller', 'Nurse', '5000', '2027-03-01', 'HR-42']) expect(output).toContain(value)
  expect(output).not.toContain('{{')
  const page = openFolder().write('page.pdf', readFileSync(inFolder('contract.pdf')))
  const picture = await pictureOf(page, 60)
  expect(differenceOf(picture, storedPicture(PICTURES, 'contract-flow', picture)).changed).toBeLessThan(0.01)
})

// The opening of a copy is replaced by the act on it, which came before the feed was read.
test('events tell every step', async () => {
  expect((await run('follow')).split('\n')).toEqual([
    'turn of us',
    'turn of employee',
    'turn of us',
    'created Employment contract',
    'created Employment contract',
    'created Diploma',
    'created Diploma',
    'turn of employee',
    'signed active',
    'turn of us',
    'accepted active',
    'turn of us',
    'signed active',
    'completed',
  ])
})

test('every program of the guide has run', () => {
  expect([...ran].toSorted()).toEqual([...guide.names].toSorted())
})
