import { readFileSync, rmSync } from 'node:fs'
import { openFolder, runTool } from '@sealpost/pdf/testing'
import { type Drawn, RESOLUTION, type Viewer } from './picture.ts'

/** Poppler draws for the screen at once; for paper it writes another PDF first, as a printer's driver does. */
export function openPoppler(): Viewer {
  const folder = openFolder()
  let number = 0
  return {
    name: 'poppler',
    async draw(bytes, medium) {
      number += 1
      const source = folder.write(`${number}.pdf`, bytes)
      try {
        if (medium === 'screen') return await rasterise(source)
        const printed = source.replace(/\.pdf$/, '-printed.pdf')
        const { code } = await runTool('pdftocairo', '-pdf', '-l', '1', source, printed)
        return code === 0 ? await rasterise(printed) : null
      } finally {
        rmSync(source, { force: true })
      }
    },
    close: () => Promise.resolve(rmSync(folder.path, { recursive: true })),
  }
}

async function rasterise(path: string): Promise<Drawn | null> {
  const target = path.replace(/\.pdf$/, '')
  const { code } = await runTool('pdftoppm', '-gray', '-singlefile', '-cropbox', '-r', String(RESOLUTION), path, target)
  if (code !== 0) return null
  const bytes = readFileSync(`${target}.pgm`)
  const head = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(bytes.toString('latin1', 0, 64))
  if (head === null) return null
  return { width: Number(head[1]), height: Number(head[2]), pixels: bytes.subarray(head[0].length) }
}
