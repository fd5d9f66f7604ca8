import { href } from '../routes.ts'

let wanted: string | null = null

/** The page that was asked for before there was an account on this device; it is shown after the start. */
export function rememberWanted(): void {
  if (location.pathname !== href('home')) wanted = location.pathname + location.search + location.hash
}

export function takeWanted(): string {
  const place = wanted ?? href('home')
  wanted = null
  return place
}
