import encodeQr from 'qr'
import type { ReactNode } from 'react'
import classes from './draw-code.module.css'

/** Modules of white around it; a reader needs them to find it. */
const QUIET = 4

/** A QR code, dark on white in every theme: many cameras do not read the inverse. */
export default function QrCode({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  const modules = encodeQr(text, 'raw', { border: QUIET })
  const side = modules.length
  return (
    <svg
      className={classes.code}
      viewBox={`0 0 ${side} ${side}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={pathOf(modules)} />
    </svg>
  )
}

/** Runs of dark modules, row by row. */
export function pathOf(modules: readonly (readonly boolean[])[]): string {
  const runs: string[] = []
  for (const [y, row] of modules.entries())
    for (let x = 0; x < row.length; x += 1) {
      if (row[x] !== true) continue
      const from = x
      while (row[x + 1] === true) x += 1
      runs.push(`M${from} ${y}h${x - from + 1}v1h-${x - from + 1}z`)
    }
  return runs.join('')
}
