export { openScreen, type Screen, type ScreenOptions } from './screen.tsx'
