import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { reservePort } from './ports.ts'
import type { PrivateEngine } from './private-engine.ts'
import { type Processes, superviseProcesses } from './processes.ts'
import { createScratch, removeScratch, type ScratchOptions } from './scratch.ts'
import { waitUntil } from './wait-until.ts'

/** What differs between engines: how one is launched on its folder and how it is asked whether it serves. */
export interface EngineRecipe extends ScratchOptions {
  readonly name: string
  readonly url: string
  /** Creates the data if the folder has none, then launches the daemons. */
  launch(engine: LaunchingEngine): Promise<void>
  answers(): Promise<boolean>
  /** Gives back ports and the like. */
  release(): void
}

export interface LaunchingEngine {
  readonly folder: string
  readonly processes: Processes
}

const START_DEADLINE_MS = 30_000

/** An engine that is not yet started; `start` it. */
export function preparePrivateEngine(recipe: EngineRecipe): PrivateEngine {
  const scratch = createScratch(recipe.name, recipe)
  const folder = join(scratch, 'data')
  const logFile = join(scratch, 'log')
  const processes = superviseProcesses(logFile)
  return {
    url: recipe.url,
    isRunning: () => processes.running(),
    kill: () => processes.kill(),
    freeze: () => processes.freeze(),
    thaw: () => processes.thaw(),
    async start() {
      if (processes.running()) throw new Error(`${recipe.name} at ${recipe.url} already runs: kill it first`)
      await processes.kill()
      mkdirSync(folder, { recursive: true })
      await recipe.launch({ folder, processes })
      await waitUntilServing(recipe, processes, logFile)
    },
    async wipe() {
      if (processes.running()) throw new Error(`${recipe.name} at ${recipe.url} still runs: kill it before wiping`)
      await processes.kill()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
    },
    async remove() {
      await processes.kill()
      removeScratch(scratch)
      recipe.release()
    },
  }
}

export interface PortRecipe {
  readonly name: string
  readonly scheme: string
  launch(engine: LaunchingEngine, port: number): Promise<void>
  answers(url: string): Promise<boolean>
}

/** A started engine of one process that listens on one free port. */
export async function startEngineAtPort(recipe: PortRecipe): Promise<PrivateEngine> {
  const { port, release } = await reservePort()
  const url = `${recipe.scheme}://127.0.0.1:${port}`
  const engine = preparePrivateEngine({
    name: recipe.name,
    url,
    release,
    answers: () => recipe.answers(url),
    launch: (launching) => recipe.launch(launching, port),
  })
  await engine.start()
  return engine
}

export async function waitUntilServing(
  recipe: Pick<EngineRecipe, 'name' | 'url' | 'answers'>,
  processes: Processes,
  logFile: string,
): Promise<void> {
  await waitUntil(`${recipe.name} answers at ${recipe.url}`, START_DEADLINE_MS, async () => {
    if (!processes.running()) throw new Error(`${recipe.name} ended while starting:\n${lastLines(logFile)}`)
    return recipe.answers()
  })
}

function lastLines(logFile: string): string {
  return existsSync(logFile) ? readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-15).join('\n') : '(no log)'
}
