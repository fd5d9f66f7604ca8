import { join } from 'node:path'
import { median, type ScenarioContext } from '@sealpost/testkit'
import { openLineProgram } from '../line-program.ts'
import { bundlePrograms, runOnce } from '../pdf-programs.ts'

const HERE = import.meta.dirname

/** Both sides; microseconds of CPU. */
export interface Sides {
  ownWarm(pages: number): Promise<number>
  ownCold(pages: number): Promise<number>
  /** A process that has sealed many files before. */
  bareHot(pages: number): Promise<Steps>
  /** The first file of a process that has loaded its code, as a waiting child has. */
  bareLoaded(pages: number): Promise<Steps>
  /** With the start of the process. */
  bareCold(pages: number): Promise<number>
}

export interface Steps {
  readonly read: number
  readonly draw: number
  readonly sign: number
}

const WARM_UPS = 30

export async function openSides(context: ScenarioContext, pages: number): Promise<Sides> {
  const bundled = await bundlePrograms('seal', {
    'bare-seal': join(HERE, 'bare-seal.ts'),
    'own-seal': join(HERE, 'own-seal.ts'),
  })
  const own = openLineProgram(context, bundled('own-seal'), {})
  const hot = openLineProgram(context, bundled('bare-seal'), {})
  for (let sealed = 0; sealed < WARM_UPS; sealed += 1) await hot.send(String(pages))
  const first = async (count: number) => readSteps(await runOnce(bundled('bare-seal'), String(count)))
  return {
    ownWarm: async (count) => Number(await own.send(`warm ${count}`)),
    ownCold: async (count) => Number(await own.send(`cold ${count}`)),
    bareHot: async (count) => readSteps(await hot.send(String(count))),
    bareLoaded: first,
    bareCold: async (count) => (await first(count)).sinceStart,
  }
}

function readSteps(answer: string): Steps & { readonly sinceStart: number } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by bare-seal.ts
  return JSON.parse(answer) as Steps & { readonly sinceStart: number }
}

export function totalOf({ read, draw, sign }: Steps): number {
  return read + draw + sign
}

export function medianStep(all: readonly Steps[], step: keyof Steps): number {
  return median(all.map((one) => one[step]))
}
