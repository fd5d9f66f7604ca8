import { Brand, Unseen, useLocation } from '@sealpost/ui'
import { Eye, House, Mails, Settings, WalletCards } from 'lucide-react'
import type { ReactNode } from 'react'
import { href } from '../routes.ts'
import { useWords } from '../words/index.ts'
import { useWaiting } from './use-waiting.ts'
import classes from './frame.module.css'

const ICON = { size: 22, strokeWidth: 1.75, 'aria-hidden': true } as const

const MOST_SHOWN = 99

/** Around every page of an open account: the way to the others. */
export function Frame({ children }: { readonly children: ReactNode }): ReactNode {
  const { path } = useLocation()
  const { main, dock, waiting, waitingUnknown } = useWords().shell
  const inbox = useWaiting()
  const places = [
    { to: href('home'), name: dock.home, icon: <House {...ICON} />, within: ['/', '/forms'] },
    {
      to: href(inbox.isMessages ? 'messages' : 'papers'),
      name: dock.inbox,
      icon: <Mails {...ICON} />,
      within: ['/papers', '/messages'],
      marks: inbox.total,
    },
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
        {places.map(({ to, name, icon, within, marks = 0 }) => (
          <a key={name} href={to} aria-current={isWithin(path, within) ? 'page' : undefined}>
            <span className={classes.icon}>
              {icon}
              {marks === 0 ? null : (
                <span className={classes.mark} aria-hidden>
                  {markOf(marks)}
                </span>
              )}
            </span>
            {name} {marks === 0 ? null : <Unseen>{marks === null ? waitingUnknown : waiting(marks)}</Unseen>}
          </a>
        ))}
      </nav>
      {children}
    </div>
  )
}

/** `?` where it could not be counted. */
function markOf(marks: number | null): string {
  if (marks === null) return '?'
  return marks > MOST_SHOWN ? `${MOST_SHOWN}+` : String(marks)
}

function isWithin(path: string, places: readonly string[]): boolean {
  return places.some((place) => path === place || (place !== '/' && path.startsWith(`${place}/`)))
}
