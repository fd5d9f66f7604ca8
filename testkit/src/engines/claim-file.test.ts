import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimFile } from './claim-file.ts'
import { processBirth } from './processes.ts'

const ROUNDS = 200
/** Above the largest number that Linux gives to a process. */
const NO_PROCESS = 2 ** 22 + 1
const RACER = `
  const { parentPort, workerData } = require('node:worker_threads')
  import(workerData.module).then(({ claimFile }) => {
    const arrived = new Int32Array(workerData.arrived)
    const won = workerData.files.filter((file, round) => {
      if (Atomics.add(arrived, round, 1) === 0) Atomics.wait(arrived, round, 1)
      else Atomics.notify(arrived, round)
      return claimFile(file)
    })
    parentPort.postMessage(won)
  })`

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sealpost-claims-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a claim holds while its process lives, and only its process', () => {
  const file = join(folder, 'own')
  expect(claimFile(file)).toBe(true)
  expect(claimFile(file)).toBe(false)
  writeFileSync(file, `${NO_PROCESS} 1 x`)
  expect(claimFile(file)).toBe(true)
  writeFileSync(file, `${process.pid} ${Number(processBirth(process.pid)) + 1} x`)
  expect(claimFile(file)).toBe(process.platform === 'linux')
})

test('of two that find the claim of an ended process at once, one takes it over', async () => {
  const files = Array.from({ length: ROUNDS }, (_, round) => join(folder, `race-${round}`))
  for (const file of files) writeFileSync(file, `${NO_PROCESS} 1 ${file}`)
  const arrived = new SharedArrayBuffer(4 * ROUNDS)
  const module = new URL('claim-file.ts', import.meta.url).href
  const racers = [1, 2].map(() => new Worker(RACER, { eval: true, workerData: { module, arrived, files } }))
  const won: string[] = (await Promise.all(racers.map((racer) => once(racer, 'message')))).flat(2)
  expect(won.toSorted()).toEqual(files.toSorted())
  expect(readdirSync(folder).filter((name) => name.startsWith('race-'))).toHaveLength(ROUNDS)
})
