// Only mail needs it, so that it is loaded when there is one.
export { createTransport } from 'nodemailer';
