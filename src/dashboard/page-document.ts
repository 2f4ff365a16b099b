import type { Page } from '../host/serve.ts';

/** What every page of the dashboard has around its body, which is markup already. */
export function pageDocument({ title, body, script }: Document): Page {
  const links = styles.map((name) => `<link rel="stylesheet" href="${name}">\n`).join('');
  const module = script === undefined ? '' : `<script type="module" src="${script}"></script>\n`;
  return {
    type: 'text/html; charset=utf-8',
    body: `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${links}${module}</head>
<body>
${body}</body>
</html>
`,
  };
}

interface Document {
  readonly title: string;
  readonly body: string;
  readonly script?: string;
}

const styles = ['report.css', 'controls.css', 'page.css', 'pictures.css', 'lines.css'];
