import { build } from 'vite'
import { portalConfig } from './vite-config.ts'

export { portalConfig } from './vite-config.ts'

/** Writes the app into a folder, which `apps/web` serves. */
export async function buildPortal(into: string): Promise<void> {
  const config = portalConfig()
  await build({ ...config, build: { ...config.build, outDir: into, emptyOutDir: true } })
}
