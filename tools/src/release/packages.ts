import { join } from 'node:path'
import { cliPackage } from '@sealpost/cli/publish'
import { kitPackage } from '@sealpost/plugin-kit/publish'
import { buildPackage, type Published, sdkPackage } from '@sealpost/sdk/publish'
import { requireTool } from './require-tool.ts'

/** A package as `npm publish` would send it. */
export interface PackedPackage {
  readonly name: string
  readonly published: Published
  /** The built package. */
  readonly folder: string
  readonly tarball: string
}

export const publishedPackages = {
  '@sealpost/sdk': sdkPackage,
  '@sealpost/cli': cliPackage,
  '@sealpost/plugin-kit': kitPackage,
} as const satisfies Readonly<Record<string, Published>>

/** Builds and packs all packages into a folder, one after another: each build uses all cores. */
export async function packAll(into: string): Promise<readonly PackedPackage[]> {
  const packed: PackedPackage[] = []
  for (const [name, published] of Object.entries(publishedPackages)) {
    const folder = join(into, name.replace('@sealpost/', ''))
    await buildPackage(published, folder)
    const output = await requireTool(into, 'npm', ['pack', folder, '--loglevel=error', '--pack-destination', into])
    packed.push({ name, published, folder, tarball: join(into, output.trim().split('\n').at(-1) ?? '') })
  }
  return packed
}
