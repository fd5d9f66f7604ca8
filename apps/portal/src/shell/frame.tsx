import { useOpenSession } from '@sealpost/session'
import { Brand, Seal, useLocation } from '@sealpost/ui'
import { Layers, LockKeyhole, Settings } from 'lucide-react'
import type { ReactNode } from 'react'
import { href } from '../routes.ts'
import { useWords } from '../words/index.ts'
import { useIdleLock } from './use-idle-lock.ts'
import { call } from './worker.ts'
import classes from './frame.module.css'

const ICON = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const

/** Around every page of an open account: which company it is, and the way to the other pages. */
export function Frame({ children }: { readonly children: ReactNode }): ReactNode {
  useIdleLock()
  const { path } = useLocation()
  const words = useWords().shell
  const { displayName, shareCode, region } = useOpenSession()
  const places = [
    { to: href('services'), name: words.places.services, icon: <Layers {...ICON} />, within: ['/', '/services'] },
  ]
  const account = [
    { to: href('settings'), name: words.places.settings, icon: <Settings {...ICON} />, within: ['/settings'] },
  ]
  const links = (group: typeof places): ReactNode =>
    group.map(({ to, name, icon, within }) => (
      <a key={name} href={to} aria-current={isWithin(path, within) ? 'page' : undefined}>
        {icon}
        {name}
      </a>
    ))
  return (
    <div className={classes.frame}>
      <nav className={classes.side} aria-label={words.main}>
        <div className={classes.brand}>
          <Brand />
        </div>
        <div className={classes.company}>
          <Seal name={displayName} id={shareCode} size="small" />
          <span>
            <b>{displayName}</b>
            <small>{words.region(region)}</small>
          </span>
        </div>
        {links(places)}
        <p>{words.account}</p>
        {links(account)}
        <button type="button" onClick={() => void call('lock')}>
          <LockKeyhole {...ICON} />
          {words.lock}
        </button>
      </nav>
      {children}
    </div>
  )
}

function isWithin(path: string, places: readonly string[]): boolean {
  return places.some((place) => path === place || (place !== '/' && path.startsWith(`${place}/`)))
}
