import { Brand, useLocation } from '@sealpost/ui'
import { Eye, House, Settings, WalletCards } from 'lucide-react'
import type { ReactNode } from 'react'
import { href } from '../routes.ts'
import { useWords } from '../words/index.ts'
import classes from './frame.module.css'

const ICON = { size: 22, strokeWidth: 1.75, 'aria-hidden': true } as const

/** Around every page of an open account: the way to the others. */
export function Frame({ children }: { readonly children: ReactNode }): ReactNode {
  const { path } = useLocation()
  const { main, dock } = useWords().shell
  const places = [
    { to: href('home'), name: dock.home, icon: <House {...ICON} />, within: ['/'] },
    { to: href('data'), name: dock.data, icon: <WalletCards {...ICON} />, within: ['/data'] },
    { to: href('sees'), name: dock.sees, icon: <Eye {...ICON} />, within: ['/sees', '/connect', '/connections'] },
    { to: href('settings'), name: dock.settings, icon: <Settings {...ICON} />, within: ['/settings', '/sign-ins'] },
  ]
  return (
    <div className={classes.frame}>
      <nav className={classes.dock} aria-label={main}>
        <div className={classes.brand}>
          <Brand />
        </div>
        {places.map(({ to, name, icon, within }) => (
          <a key={to} href={to} aria-current={isWithin(path, within) ? 'page' : undefined}>
            {icon}
            {name}
          </a>
        ))}
      </nav>
      {children}
    </div>
  )
}

function isWithin(path: string, places: readonly string[]): boolean {
  return places.some((place) => path === place || (place !== '/' && path.startsWith(`${place}/`)))
}
