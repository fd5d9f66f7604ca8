import { build } from 'vite'
import { personConfig } from './vite-config.ts'

export { personConfig } from './vite-config.ts'

/** Writes the app into a folder, which `apps/web` serves. */
export async function buildPerson(into: string): Promise<void> {
  const config = personConfig()
  await build({ ...config, build: { ...config.build, outDir: into, emptyOutDir: true } })
}
