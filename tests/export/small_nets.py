# SPDX-License-Identifier: GPL-3.0-or-later
"""Two small networks of tokens, written as people write them."""
import math
import torch
from torch import nn
class Attention(nn.Module):
    def __init__(self, c, h):
        super().__init__(); self.h=h; self.qkv=nn.Linear(c,3*c); self.out=nn.Linear(c,c)
    def forward(self,x):
        b,t,c=x.shape
        q,k,v=self.qkv(x).split(c,2)
        q,k,v=[y.view(b,t,self.h,c//self.h).transpose(1,2) for y in (q,k,v)]
        s=(q@k.transpose(-2,-1))/math.sqrt(c//self.h)
        s=s.masked_fill(torch.ones(t,t,device=x.device).tril()==0, float("-inf"))
        y=s.softmax(-1)@v
        return self.out(y.transpose(1,2).reshape(b,t,c))
class Block(nn.Module):
    def __init__(self,c,h):
        super().__init__(); self.ln1=nn.LayerNorm(c); self.attn=Attention(c,h); self.ln2=nn.LayerNorm(c)
        self.up=nn.Linear(c,4*c); self.down=nn.Linear(4*c,c)
    def forward(self,x):
        x=x+self.attn(self.ln1(x)); return x+self.down(nn.functional.gelu(self.up(self.ln2(x))))
class GPT(nn.Module):
    def __init__(self,v=1000,c=64,h=4,n=3,t=32):
        super().__init__(); self.tok=nn.Embedding(v,c); self.pos=nn.Embedding(t,c); self.blocks=nn.Sequential(*[Block(c,h) for _ in range(n)])
        self.norm=nn.LayerNorm(c); self.head=nn.Linear(c,v,bias=False); self.head.weight=self.tok.weight
    def forward(self,i):
        x=self.tok(i)+self.pos(torch.arange(i.shape[1],device=i.device))
        return self.head(self.norm(self.blocks(x)))
class Encoder(nn.Module):
    def __init__(self):
        super().__init__(); self.tok=nn.Embedding(500,64); self.drop=nn.Dropout(0.1)
        self.body=nn.TransformerEncoder(nn.TransformerEncoderLayer(64,4,256,batch_first=True),2); self.out=nn.Linear(64,10)
    def forward(self,i):
        return self.out(self.body(self.drop(self.tok(i)))[:,0])
