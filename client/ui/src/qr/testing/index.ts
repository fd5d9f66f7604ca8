export { drawQr, type Sight } from './draw-qr.ts'
