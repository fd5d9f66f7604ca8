import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { memoryPins, ServiceClient } from '@sealpost/sdk'
import { northwind, openWorld, ROOT } from '@sealpost/testkit'
import { seedDemo } from '@sealpost/testkit/demo'
import { expect, test } from 'vitest'
import { publishedService } from './published-service.ts'

const run = promisify(execFile)
const TSC = join(ROOT, 'node_modules/.bin/tsc')
const README = readFileSync(join(ROOT, 'README.md'), 'utf8')
const PROGRAM = 'first-value.ts'
const SOURCE = readFileSync(join(ROOT, 'examples/first-value', PROGRAM), 'utf8')
/** Persons are in the order of their ids. */
const PRINTED = ['Amina signed', 'Jonas signed', 'Mara signed', 'lives in Freiburg', 'lives in Portland']
/** A reader who has no settings of their own: `strict` and what Node needs to run the file. */
const STRICT = {
  strict: true,
  module: 'nodenext',
  target: 'es2024',
  types: ['node'],
  noEmit: true,
  // The SDK is imported from its sources here.
  allowImportingTsExtensions: true,
  skipLibCheck: true,
}

// Of its own, because the demo logs the fixed personas in.
const world = await openWorld({ own: true })
mkdirSync(join(ROOT, '.vitest'), { recursive: true })
const folder = mkdtempSync(join(ROOT, '.vitest/readme-'))
world.onEnd(() => Promise.resolve(rmSync(folder, { recursive: true, force: true })))
// What `npm run dev` does after the start.
await seedDemo(world, join(folder, '.local/demo'))

test('the first program of the README compiles under strict and prints what the README says', async () => {
  const [, program] = /^```ts\n(.+?)^```$/ms.exec(README) ?? []
  expect(program).toBe(SOURCE)
  writeFileSync(join(folder, PROGRAM), SOURCE)
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: STRICT, files: [PROGRAM] }))
  const compiled = await run(TSC, ['-p', folder]).catch((error: unknown) => error)
  expect(compiled).toMatchObject({ stdout: '' })
  expect((await printed()).split('\n').toSorted()).toEqual(PRINTED)
  expect(README).toContain('It prints `Mara signed` and `lives in Portland`')
})

test('it goes on when a person has no signing device, and when the demo is seeded again', async () => {
  await seedDemo(world, join(folder, '.local/demo'))
  const { northwind: company } = await world.personas('northwind')
  const { body } = await company.portal('GET', `/api/services/${northwind.serviceId}/request-fields`)
  const service = publishedService('NRTHWD/INTAKE', body, northwind.service.publicKey)
  const person = await world.person()
  await person.connected(service, [{ slug: 'name', text: 'Ana' }])
  expect((await printed()).split('\n').toSorted()).toEqual([...PRINTED, 'Ana unsigned'].toSorted())
})

test('the demo has a paper, a contract that waits for a signature, and runs of a flow', async () => {
  const { clientId, clientSecret } = northwind
  const client = new ServiceClient({ frontDoorUrl: world.frontDoor.url, clientId, clientSecret, pins: memoryPins() })
  const documents: string[] = []
  for await (const { name, status } of client.documents.list()) documents.push(`${name}: ${status}`)
  expect(documents.toSorted()).toEqual(['Before your first visit: active', 'Treatment agreement: ready_to_sign'])
  const runs: string[] = []
  for await (const { status } of client.flows.list()) runs.push(status)
  expect(runs.toSorted()).toEqual(['awaiting_patient', 'completed'])
})

async function printed(): Promise<string> {
  const { stdout } = await run(process.execPath, [PROGRAM], { cwd: folder })
  return stdout.trim()
}
