import { markup } from '../markup.ts';

/**
 * The page's style sheet. Its colours are Okabe and Ito's, which people with any colour blindness can distinguish;
 * signs, words and heights show the same.
 */
export const style = markup`
:root {
  color-scheme: light dark;
  --page: #fff; --ink: #1b1f24; --quiet: #57606a; --line: #d0d7de; --card: #f6f8fa; --link: #0b57a4;
  --good: #009e73; --slow: #e69f00; --bad: #d55e00; --unknown: #767d86; --mark: #0072b2; --life: #56a0d3;
  --good-ink: #00624a; --bad-ink: #a33b00; --doubt-ink: #7a5200;
  --good-wash: #e3f5ee; --bad-wash: #fdebe0; --doubt-wash: #fdf3d7;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #0f141a; --ink: #e4e8ec; --quiet: #9aa5b1; --line: #333c47; --card: #171d25; --link: #7cc0ff;
    --good: #1fb98c; --slow: #f0b429; --bad: #ff7a33; --unknown: #8b949e; --mark: #5db4ef; --life: #3f87b8;
    --good-ink: #5fdcb4; --bad-ink: #ff9d66; --doubt-ink: #f3c562;
    --good-wash: #10291f; --bad-wash: #331c10; --doubt-wash: #2e260f;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 64rem; padding: 1rem 1rem 4rem; background: var(--page); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.1rem; margin: 0; font-weight: 600; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; }
h3, .note h2 { font-size: 1.1rem; margin: 0; }
ul { margin: .25rem 0; padding-left: 1.2rem; }
p { margin: .25rem 0; }
a { color: var(--link); }
header { border: 1px solid var(--line); border-left: .5rem solid var(--unknown); border-radius: .5rem; padding: 1rem 1.25rem; background: var(--card); }
header.pass { border-left-color: var(--good); }
header.fail, header.error { border-left-color: var(--bad); }
header.inconclusive { border-left-color: var(--slow); }
ul.reasons { list-style: none; padding: 0; }
ul.reasons li::first-letter { text-transform: uppercase; }
.verdict { font-size: 2rem; line-height: 1.2; font-weight: 700; margin: .25rem 0; }
.quiet, figcaption { color: var(--quiet); font-size: .875rem; }
.badge { display: inline-block; border-radius: 1rem; padding: 0 .6rem; font-size: .875rem; font-weight: 600; white-space: nowrap;
  border: 1px solid currentcolor; color: var(--quiet); }
.pass, .met, .info { --own: var(--good-ink); --wash: var(--good-wash); }
.fail, .not-met, .error { --own: var(--bad-ink); --wash: var(--bad-wash); }
.inconclusive, .warning { --own: var(--doubt-ink); --wash: var(--doubt-wash); }
.badge.pass, .badge.met, .badge.fail, .badge.not-met, .badge.error, .badge.inconclusive, .badge.warning { color: var(--own); background: var(--wash); }
.verdict.pass, .verdict.fail, .verdict.error, .verdict.inconclusive { color: var(--own); }
.note { border-left: .25rem solid var(--own); background: var(--wash); border-radius: .25rem; padding: .6rem 1rem; margin: .6rem 0; }
.note dl { margin: .25rem 0 0; }
dl.rows { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .1rem .8rem; }
dl.rows dt { color: var(--quiet); }
dl.rows dd { margin: 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: .35rem .8rem .35rem 0; border-bottom: 1px solid var(--line); }
th { font-size: .875rem; color: var(--quiet); font-weight: 600; }
tbody th { color: inherit; font-size: 1rem; }
figure { margin: .75rem 0 0; }
ol.criteria { list-style: none; margin: 0; padding: 0; }
ol.criteria li { display: grid; grid-template-columns: 1.5rem 8rem 1fr; gap: .2rem .8rem; padding: .5rem 0; border-bottom: 1px solid var(--line); }
article { border-top: 1px solid var(--line); margin-top: 1.5rem; padding-top: 1.25rem; }
article > header { all: unset; display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; }
ol.marks { margin: .5rem 0 .75rem; padding-left: 1.6rem; font-size: .875rem; columns: 22rem; column-gap: 3rem; }
ol.marks b { font-variant-numeric: tabular-nums; font-weight: 600; }
ul.numbers { display: flex; flex-wrap: wrap; gap: .25rem 1.75rem; list-style: none; margin: .75rem 0 0; padding: 0; }
ul.numbers b { display: block; font-size: 1.15rem; font-variant-numeric: tabular-nums; }
ul.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; list-style: none; margin: .5rem 0 0; padding: 0; font-size: .875rem; color: var(--quiet); }
svg { vertical-align: middle; }
svg.picture { display: block; overflow: visible; }
svg text { font: .75rem system-ui, sans-serif; fill: var(--quiet); }
svg .middle { text-anchor: middle; }
svg .end { text-anchor: end; }
svg path { shape-rendering: crispedges; }
svg .good { fill: var(--good); }
svg .slow { fill: var(--slow); }
svg .bad { fill: var(--bad); }
svg .unknown { fill: var(--unknown); }
svg .outage { fill: var(--bad); shape-rendering: auto; }
svg .axis line { stroke: var(--line); }
svg .window { fill: var(--card); stroke: var(--page); stroke-width: 2; }
svg .band { fill: var(--line); stroke: var(--page); stroke-width: 2; }
svg .band.pass, svg .band.fail, svg .band.inconclusive { fill: var(--wash); }
svg .band-text { fill: var(--ink); font-weight: 600; }
svg .mark-line { stroke: var(--mark); stroke-dasharray: 2 3; opacity: .7; }
svg .mark circle { fill: var(--mark); }
svg .mark.undo circle { fill: var(--page); stroke: var(--mark); stroke-width: 1.5; }
svg .mark.settled circle { fill: var(--card); stroke: var(--quiet); stroke-width: 1.5; }
svg .mark text { fill: var(--page); font-weight: 600; }
svg .mark.undo text, svg .mark.settled text { fill: var(--ink); }
svg .bounds line { stroke: var(--bad); stroke-width: 1.5; }
svg .bounds .lower { stroke-width: 5; }
svg .bounds circle { fill: var(--bad); }
svg .not-ready { fill: var(--unknown); }
svg .ready { fill: var(--life); }
svg .leaving { fill: var(--page); stroke: var(--life); stroke-width: 1.25; stroke-dasharray: 3 2; }
footer { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1rem; }
@media (max-width: 36rem) {
  ol.criteria li { grid-template-columns: 1.5rem 1fr; }
  ol.criteria .because { grid-column: 2; }
}
@media print {
  html { font-size: 9pt; }
  body { max-width: none; padding: 0; }
  article, tr, li, .note, figure { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  * { print-color-adjust: exact; }
}
`;

/** Of the text above, for the page's own policy: no other style, and nothing else at all, is let in. */
export const styleHash = 'sha256-0bCDvLT9tP6uNz1enX9HoS8gGB/eiHvVEWXXCcIY14w=';
