import { Outside, rememberWanted } from '@sealpost/session'
import { ButtonLink, Buttons } from '@sealpost/ui'
import { RefreshCw, Stamp, UsersRound } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { href } from '../../routes.ts'
import { useWords } from '../../words/index.ts'
import classes from './welcome.module.css'

const ICON = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const
const ICONS = [
  <Stamp key="seal" {...ICON} />,
  <RefreshCw key="follow" {...ICON} />,
  <UsersRound key="staff" {...ICON} />,
]

export function Welcome(): ReactNode {
  const words = useWords().start.welcome
  useEffect(rememberWanted, [])
  return (
    <Outside title={words.title} lead={words.lead}>
      <ul className={classes.promises}>
        {words.promises.map((promise, at) => (
          <li key={promise}>
            {ICONS[at]}
            <span>{promise}</span>
          </li>
        ))}
      </ul>
      <Buttons isStacked>
        <ButtonLink look="main" href={href('register')}>
          {words.begin}
        </ButtonLink>
        <ButtonLink href={href('signIn')}>{words.signIn}</ButtonLink>
      </Buttons>
    </Outside>
  )
}
