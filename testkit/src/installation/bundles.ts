import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { forwarderProgram } from '@sealpost/forwarder/build/program'
import { frontDoorProgram } from '@sealpost/front-door/build/program'
import { regionProgram } from '@sealpost/region/build/program'
import { keptBuild } from '../builds/kept-build.ts'
import { sourceKey } from '../builds/source-key.ts'
import { commandProgram, pluginKitProgram, sdkProgram } from './client-programs.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const PROGRAMS = [frontDoorProgram, regionProgram, forwarderProgram, sdkProgram, pluginKitProgram, commandProgram]

/**
 * The folder with the programs of this checkout, bundled as `npm run build` does it. They are bundled again when a source
 * has changed. A process looks once: it runs the sources that it was started with.
 */
export function bundledPrograms(): Promise<string> {
  return keptOnce('bundles', async (folder) => {
    // Most processes find a bundle and need no bundler.
    const { bundleProgram } = await import('@sealpost/process/build')
    for (const program of PROGRAMS) await bundleProgram(program, folder)
  })
}

/** What `make` builds from the sources of this checkout, found or built once by this process. */
export function keptOnce(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  key ??= sourceKey(ROOT)
  const found = results.get(name) ?? keptBuild({ name, key, into: join(ROOT, '.local', name), make })
  results.set(name, found)
  return found
}

/** With which an operator starts the program of this name. */
export function programFlags(name: string): readonly string[] {
  return PROGRAMS.find((program) => program.name === name)?.flags ?? []
}

let key: string | null = null
const results = new Map<string, Promise<string>>()
