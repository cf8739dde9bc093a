# SPDX-License-Identifier: GPL-3.0-or-later
"""Small networks of images, each with what made a family of networks hard to export."""
import torch
from torch import nn
from torch.nn import functional as F


def mlp(width, hidden):
    return nn.Sequential(nn.Linear(width, hidden), nn.GELU(), nn.Linear(hidden, width))


class Attention(nn.Module):
    """Scores by hand or fused, with a table of relative positions or without."""

    def __init__(self, width, heads, positions=0, places=1):
        super().__init__()
        self.heads, self.qkv, self.proj = heads, nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.table = nn.Parameter(torch.zeros(positions, heads)) if positions else None
        self.register_buffer("index", torch.zeros(places * places, dtype=torch.long))

    def forward(self, x):
        b, n, c = x.shape
        q, k, v = self.qkv(x).reshape(b, n, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        if self.table is None:
            y = F.scaled_dot_product_attention(q, k, v)
        else:
            bias = self.table[self.index].view(n, n, -1).permute(2, 0, 1).contiguous().unsqueeze(0)
            y = ((q * 0.1) @ k.transpose(-2, -1) + bias).softmax(-1) @ v
        return self.proj(y.transpose(1, 2).reshape(b, n, c))


class Patches(nn.Module):
    """ViT: patches, a class token, positions."""

    def __init__(self):
        super().__init__()
        self.cut, self.norm1, self.norm2 = nn.Conv2d(3, 64, 4, 4), nn.LayerNorm(64), nn.LayerNorm(64)
        self.cls, self.pos = nn.Parameter(torch.zeros(1, 1, 64)), nn.Parameter(torch.zeros(1, 65, 64))
        self.attn, self.mlp, self.head = Attention(64, 4), mlp(64, 256), nn.Linear(64, 10)

    def forward(self, x):
        x = self.cut(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls.expand(x.shape[0], -1, -1), x], 1) + self.pos
        x = x + self.attn(self.norm1(x))
        return self.head((x + self.mlp(self.norm2(x)))[:, 0])


class Windows(nn.Module):
    """Swin: shifted windows of 4 x 4, relative positions, places that are merged."""

    def __init__(self):
        super().__init__()
        self.cut, self.norm1, self.norm2, self.norm3 = nn.Conv2d(3, 32, 4, 4), nn.LayerNorm(32), nn.LayerNorm(32), nn.LayerNorm(128)
        self.attn, self.mlp, self.merge, self.head = Attention(32, 2, 49, 16), mlp(32, 64), nn.Linear(128, 64, bias=False), nn.Linear(64, 10)

    def forward(self, x):
        x = self.cut(x).permute(0, 2, 3, 1)
        b, h, w, c = x.shape
        y = torch.roll(self.norm1(x), (-2, -2), (1, 2))
        y = self.attn(y.view(b, h // 4, 4, w // 4, 4, c).permute(0, 1, 3, 2, 4, 5).reshape(-1, 16, c))
        y = y.view(b, h // 4, w // 4, 4, 4, c).permute(0, 1, 3, 2, 4, 5).reshape(b, h, w, c)
        x = x + torch.roll(y, (2, 2), (1, 2))
        x = x + self.mlp(self.norm2(x))
        x = torch.cat([x[:, i::2, j::2, :] for i in (0, 1) for j in (0, 1)], -1)
        return self.head(self.merge(self.norm3(x)).permute(0, 3, 1, 2).mean((2, 3)))


class Mixer(nn.Module):
    """MLP-Mixer: layers across places."""

    def __init__(self):
        super().__init__()
        self.cut, self.norm1, self.norm2 = nn.Conv2d(3, 32, 8, 8), nn.LayerNorm(32), nn.LayerNorm(32)
        self.across, self.mlp, self.head = mlp(16, 24), mlp(32, 64), nn.Linear(32, 10)

    def forward(self, x):
        x = self.cut(x).flatten(2).transpose(1, 2)
        x = x + self.across(self.norm1(x).transpose(1, 2)).transpose(1, 2)
        return self.head((x + self.mlp(self.norm2(x))).mean(1))


class Shuffled(nn.Module):
    """ShuffleNet and Res2Net: channels that are split, one part convolved, and shuffled."""

    def __init__(self):
        super().__init__()
        self.stem, self.part, self.head = nn.Conv2d(3, 16, 3, 2, 1), nn.Conv2d(8, 8, 3, 1, 1, groups=8), nn.Linear(16, 10)

    def forward(self, x):
        a, b = F.relu(self.stem(x)).chunk(2, 1)
        x = torch.cat([a, self.part(b)], 1)
        n, c, h, w = x.shape
        x = x.view(n, 2, c // 2, h, w).transpose(1, 2).contiguous().view(n, c, h, w)
        return self.head(F.adaptive_avg_pool2d(x, 1).flatten(1))


class Standardized(nn.Module):
    """Networks without norms: weights of mean 0 and variance 1, and gains."""

    def __init__(self):
        super().__init__()
        self.conv, self.head, self.gain = nn.Conv2d(3, 16, 3), nn.Linear(16, 10), nn.Parameter(torch.ones(16, 1, 1, 1))

    def forward(self, x):
        w = self.conv.weight
        w = F.batch_norm(w.reshape(1, 16, -1), None, None, (self.gain * 0.5).view(-1), None, True).reshape_as(w)
        return self.head(F.conv2d(x, w, self.conv.bias).mean((2, 3)))


class Placed(nn.Module):
    """ConvNeXt: a layer norm and products of each place of a grid, a scale for each channel."""

    def __init__(self):
        super().__init__()
        self.stem, self.norm, self.mlp, self.head = nn.Conv2d(3, 16, 4, 4), nn.LayerNorm(16), mlp(16, 64), nn.Linear(16, 10)
        self.scale = nn.Parameter(torch.ones(16, 1, 1))

    def forward(self, x):
        x = self.stem(x)
        x = x + self.scale * self.mlp(self.norm(x.permute(0, 2, 3, 1))).permute(0, 3, 1, 2)
        return self.head(x.mean((2, 3)))


class ChannelAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(32, 96)

    def forward(self, x):
        q, k, v = (y.transpose(1, 2) for y in self.qkv(x).chunk(3, -1))
        return ((q @ k.transpose(-2, -1)).softmax(-1) @ v).transpose(1, 2)


class Across(nn.Module):
    """XCiT: channels attend to channels, which is refused."""

    def __init__(self):
        super().__init__()
        self.cut, self.attn, self.head = nn.Conv2d(3, 32, 8, 8), ChannelAttention(), nn.Linear(32, 10)

    def forward(self, x):
        return self.head(self.attn(self.cut(x).flatten(2).transpose(1, 2)).mean(1))


class Warmed(nn.Module):
    """A weight that no layer of a model has."""

    def __init__(self):
        super().__init__()
        self.conv, self.heat, self.head = nn.Conv2d(3, 16, 3), nn.Parameter(torch.ones(1)), nn.Linear(16, 10)

    def forward(self, x):
        return self.head((self.conv(x) * self.heat).mean((2, 3)))
